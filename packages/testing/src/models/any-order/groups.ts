import assert from 'node:assert/strict';
import { type Counts, countReached, explainSteps } from '../kit/player.ts';
import type { Command } from './commands.ts';
import { viewModel, viewProduct } from './comparison.ts';
import { explain, type Happening } from './explain.ts';
import type { Group, Readiness, Storm } from './group-commands.ts';
import { beginList, endList, nameAnswer, type Playground, type Playing, play, remember } from './lists.ts';
import { dueRuns, giveUpInModel, type Lease, type Model } from './model.ts';
import type { Step } from './step.ts';
import { ownerOf, toStep } from './steps.ts';

interface Sent {
  step: Step;
  command: Command;
  answer: unknown;
}

function happeningsOf(sent: readonly Sent[]): Happening[] {
  const others = sent.filter(({ step }) => step.kind !== 'sweep');
  const happenings = others.map((each): Happening => {
    const { step, command, answer } = each;
    const touched = others.filter((other) => other !== each).map((other) => other.step.touches?.(other.answer));
    const isBusy = (id: string) => touched.includes('all') || touched.includes(id);
    return {
      name: step.name,
      answer,
      inModel: (model) => step.inModel(model, answer, isBusy),
      ...(command.kind === 'advance' && { seconds: command.seconds }),
    };
  });
  // If two sweeps compete for the same start, one gives it up.
  const givenUp = new Set(sent.flatMap(({ step, answer }) => (step.kind === 'sweep' ? (answer as string[]) : [])));
  const giveUps = [...givenUp].map((id) => ({
    name: `give up ${id}`,
    answer: true,
    inModel: (model: Model) => giveUpInModel(model, id),
  }));
  return [...happenings, ...giveUps];
}

type Before = (work: Group['work']) => Command[];
const take: Command = { kind: 'take', isLasting: true };
const fallSilent: Command = { kind: 'heartbeat', worker: 1, isLasting: false };
const complete: Before = (work) => [
  take,
  { kind: 'saveStep', worker: 1, step: 0, work },
  { kind: 'end', worker: 1, outcome: 'COMPLETED' },
];
const takeUp: Command = { kind: 'takeReport', run: 1, reviewer: 0, isForced: false };

const commandsBefore: Record<Readiness, Before> = {
  queued: () => [],
  'not handed over': () => [],
  overdue: () => [{ kind: 'advance', seconds: 301 }],
  working: (work) => [take, { kind: 'saveStep', worker: 1, step: 0, work }],
  silent: (work) => [take, { kind: 'saveStep', worker: 1, step: 0, work }, fallSilent],
  'taken over': (work) => [take, { kind: 'saveStep', worker: 1, step: 0, work }, fallSilent, take],
  completed: complete,
  'with a reviewer': (work) => [...complete(work), takeUp],
  rejected: (work) => [...complete(work), takeUp, { kind: 'reject', run: 1, reviewer: null }],
};

/** Brings a new run into the state that the group competes for. */
async function prepare({ readiness, depth, work, days }: Group, context: Playing): Promise<void> {
  const isHandedOver = readiness !== 'not handed over' && readiness !== 'overdue';
  context.focus = undefined;
  if (context.model.isSuspended) await play({ kind: 'resume' }, context);
  const { id = '', told } = (await play({ kind: 'start', depth, isHandedOver }, context)) as Record<string, string>;
  if (told !== 'QUEUED' && told !== 'INTERNAL_ERROR') return;
  context.focus = id;
  for (const command of commandsBefore[readiness](work)) {
    let answer = await play(command, context);
    // Other runs may have waited longer.
    while (command === take && (answer as Lease).id !== id) answer = await play(command, context);
  }
  if (days > 0) await play({ kind: 'advance', seconds: days * 24 * 3_600 }, context);
}

/** Waits for all even after a failure, so that none continues during the next list. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

async function playAtOnce(commands: readonly Command[], context: Playing): Promise<Sent[]> {
  const { product, database, account, model, recorder, focus } = context;
  const ids = Object.keys(model.runs);
  const steps = commands.flatMap((command) => {
    const step = toStep(command, context);
    return step ? [{ step, command }] : [];
  });
  if (steps.length === 0) return [];
  context.done.push(`at once: ${steps.map(({ step }) => step.name).join(', ')}`);
  const due = dueRuns(model);
  let reads = 0;
  const nextId = () => (reads++ % 2 === 0 ? focus : undefined) ?? ids[reads % ids.length] ?? '';
  const reader = product.reading.createPentestReader(database);
  const read = () => reader.read(ownerOf(account), nextId());
  const sending = allOf(steps.map(async (each) => ({ ...each, answer: await each.step.send() })));
  // Without enough credits there is no run to read.
  const sent = await (ids.length > 0 ? recorder.during(read, sending) : sending);
  for (const { step, answer } of sent) remember(context, step, answer);
  await assertExplained(context, happeningsOf(sent));
  const swept = sent.filter(({ step }) => step.kind === 'sweep').flatMap(({ answer }) => answer as string[]);
  if (sent.some(({ step }) => step.kind === 'sweep')) {
    for (const id of due) assert.ok(swept.includes(id), `${id} was given up`);
  }
  return sent;
}

/** Continues with the model of the order that explains the results. */
async function assertExplained(context: Playing, happenings: readonly Happening[]): Promise<void> {
  const after = Math.max(...happenings.map(({ seconds }) => seconds ?? 0)) * 1_000;
  const { pentests, ...view } = await viewProduct(context, context.model.now + after);
  for (const pentest of pentests) context.recorder.note(pentest);
  const found = explain(context.model, happenings, view);
  const told = happenings.map(({ name, answer }) => `${name}: ${JSON.stringify(answer)}`).join('\n  ');
  const [before, now] = [viewModel(context.model), view].map((each) => JSON.stringify(each, null, 2));
  assert.ok(found, `no order explains\n  ${told}\nfrom ${before}\nto ${now}`);
  context.model = found;
}

/** Runs groups of concurrent commands, each on a run in a suitable state. */
export async function playStorm(playground: Playground, storm: Storm): Promise<Counts> {
  const context = await beginList(playground, storm.amounts);
  const played = { operations: 0, groups: 0 };
  try {
    for (const group of storm.groups) {
      await prepare(group, context);
      const sent = await playAtOnce(group.commands, context);
      countReached(
        playground,
        sent.flatMap(({ step, answer }) => nameAnswer(step, answer)),
      );
      played.operations += sent.length;
      if (sent.length > 1) played.groups++;
    }
    await endList(playground, context);
  } catch (cause) {
    throw explainSteps(context.done, cause);
  }
  return { ...played, observations: context.recorder.observations };
}
