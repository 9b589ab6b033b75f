import type { Reply, SeenCall } from '../protocol.ts';
import type { Call, Result, Work } from './walk.ts';

/** How an expert talks and works, apart from what it looks for. */
export interface Habits {
  /** Whether the server sends each answer in one event, as some local ones do, or in many. */
  pace: NonNullable<Reply['pace']>;
  /** Calls in one turn. */
  atOnce: number;
  /** What it says around its calls. */
  says(calls: readonly Call[]): string;
  /** Whether it sometimes writes its calls into its text, where nobody carries them out. */
  forgetsTools: boolean;
  /** Makes mistakes in its calls, and mends them by what the refusals say. */
  makes(work: Work): Work;
}

/** Makes no mistake and says nothing. */
export const plain: Habits = {
  pace: 'letters',
  atOnce: 6,
  says: () => '',
  forgetsTools: false,
  makes: (work) => work,
};

/** Explains each turn in prose with JSON in it, sends many calls at once, and repeats each kind of mistake. */
export const talkative: Habits = {
  pace: 'whole',
  atOnce: 8,
  says: (calls) =>
    `Let me think about this step by step. I will now make ${calls.length} calls, the first of which is roughly\n\n` +
    `\`\`\`json\n${JSON.stringify({ tool: calls[0]?.name, arguments: calls[0]?.input }, null, 1).slice(0, 900)}\n\`\`\`\n\n` +
    'and then look at {"what": "comes back"}.',
  forgetsTools: true,
  makes: mistaken,
};

/** Each mistake, and how the refusal tells what is right. Undefined: the mistake does not fit this call. */
interface Mistake {
  spoil(call: Call): Call | undefined;
  mend(spoiled: Call, problem: string): Call | undefined;
}

const inputOf = ({ input }: Call) => input as Record<string, unknown>;
const mistakes: readonly Mistake[] = [
  {
    spoil: (call) => (call.name === 'request' ? { ...call, name: 'http_get' } : undefined),
    mend: ({ input }, problem) => {
      const tools = /The tools are (.*)\./.exec(problem)?.[1]?.split(', ') ?? [];
      const name = tools.find((each) => each === 'request');
      return name === undefined ? undefined : { name, input };
    },
  },
  {
    spoil: (call) => ({ ...call, input: { ...inputOf(call), reasoning: 'it may be worth it' } }),
    mend: (call, problem) => {
      const unknown = /Unrecognized key: "(\w+)"/.exec(problem)?.[1];
      const { [unknown ?? '']: _, ...input } = inputOf(call);
      return unknown === undefined ? undefined : { ...call, input };
    },
  },
  {
    spoil: (call) => {
      const { steps } = inputOf(call);
      return steps === undefined ? undefined : { ...call, input: { ...inputOf(call), steps: JSON.stringify(steps) } };
    },
    mend: (call, problem) => {
      if (!/steps: .*expected array/.test(problem)) return undefined;
      return { ...call, input: { ...inputOf(call), steps: JSON.parse(String(inputOf(call).steps)) } };
    },
  },
  {
    spoil: (call) => {
      const { version, ...input } = inputOf(call);
      return version === undefined ? undefined : { ...call, input };
    },
    mend: (call, problem) => {
      const version = /needs "version": (\d)/.exec(problem)?.[1];
      return version === undefined ? undefined : { ...call, input: { version: Number(version), ...inputOf(call) } };
    },
  },
];

/** Spoils some calls of the work. What a refusal does not explain is a failure of the test. */
function* mistaken(work: Work): Work {
  let result: Result | undefined;
  for (let turn = 0; ; turn++) {
    const { done, value } = result === undefined ? work.next() : work.next(result);
    if (done) return;
    result = yield* withMistake(value as Call, turn);
  }
}

function* withMistake(call: Call, turn: number): Generator<Call, Result, Result> {
  const fitting = mistakes.filter((each) => each.spoil(call) !== undefined);
  const needed = fitting.find((each) => each === mistakes.at(-1));
  const mistake = needed ?? (turn % 4 === 0 ? fitting[(turn / 4) % fitting.length] : undefined);
  const spoiled = mistake?.spoil(call);
  if (!mistake || !spoiled) return yield call;
  const { problem = '' } = yield spoiled;
  const mended = mistake.mend(spoiled, problem);
  if (!mended) throw new Error(`The refusal does not say what is wrong: ${JSON.stringify([spoiled.name, problem])}`);
  return yield mended;
}

const TOOLS_ONLY = /Work by the tools only/;

/** Returns the calls that were written into a text instead of being made, once it was told so. */
export const wasReminded = (messages: SeenCall['messages']): boolean => {
  const last = messages.at(-1);
  return last !== undefined && last.role === 'user' && TOOLS_ONLY.test(last.text);
};
