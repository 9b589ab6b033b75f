import assert from 'node:assert/strict';
import { allOf, sendAtOnce } from './at-once.ts';
import type { Command, Rush } from './commands.ts';
import { assertNothingViolated, assertSame, assertSameOperations } from './comparison.ts';
import { beginList, countAnswers, type Playground, takeStep } from './lists.ts';
import { later, levels, plans } from './model.ts';
import type { OverspendContext } from './step.ts';
import { toStep } from './steps.ts';
import { sweep } from './sweep.ts';

const DAY_MS = 24 * 3_600_000;

async function play(context: OverspendContext, commands: readonly Command[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const command of commands) {
    const step = toStep(command, context);
    if (step) answers.push(...(await takeStep(step, context)));
  }
  return answers;
}

/** Runs a burst of equal starts, a storm of all commands, and starts while the clock moves. */
export async function playRush(playground: Playground, rush: Rush): Promise<number> {
  const context = await beginList(playground);
  const [first = 0, second = 0, third = 0] = rush.amounts;
  await play(context, [
    { kind: 'grant', source: 'purchased', amount: first, days: null },
    { kind: 'grant', source: 'plan', amount: second, days: 10 },
    { kind: 'grant', source: 'purchased', amount: third, days: 1 },
    { kind: 'plan', plan: rush.plan },
    { kind: 'cap', of: 'key', which: 0, limit: rush.budget },
  ]);
  const answers = await rushOfStarts(context, rush);
  const between: Command[] = [
    { kind: 'cancel', run: 0, member: 0 },
    { kind: 'cancel', run: 1, member: 0 },
    ...rush.failing,
    { kind: 'wait', seconds: rush.wait },
  ];
  answers.push(...(await play(context, between)));
  // Two sweeps, as from two nodes.
  const storm = [...rush.storm, { command: { kind: 'sweep' } as const, times: 2 }].flatMap(({ command, times }) => {
    const step = toStep(command, context);
    return step ? Array.from({ length: times }, () => step) : [];
  });
  answers.push(...(await sendAtOnce(context, storm)));
  await assertSame(context);
  await assertSameOperations(context);
  await assertNothingViolated(context);
  countAnswers(playground, answers);
  return answers.length + (await startsWhileClockMoves(context, rush));
}

/** Sends every start twice; exactly as many succeed as credits, budget and plan allow. */
async function rushOfStarts(context: OverspendContext, rush: Rush): Promise<unknown[]> {
  const command = { kind: 'start', key: 0, target: 'lasting', depth: rush.depth, trouble: 'none' } as const;
  const steps = Array.from({ length: rush.starts }, () => toStep(command, context)).filter(
    (step) => step !== undefined,
  );
  const answers = await sendAtOnce(context, [...steps, ...steps]);
  const { testing, review } = levels[rush.depth];
  const credits = rush.amounts.reduce((sum, amount) => sum + amount, 0);
  const affordable = Math.floor(Math.min(credits, rush.budget ?? Infinity) / (testing + review));
  assert.equal(context.model.runs.size, Math.min(rush.starts, affordable, plans[rush.plan]), 'accepted starts');
  return answers;
}

/** The model cannot know which time each start read; only the invariants are checked. */
async function startsWhileClockMoves(context: OverspendContext, { late }: Rush): Promise<number> {
  const { database, clock, product } = context;
  const start = { kind: 'start', key: 0, target: 'expiring', depth: 'LEAD', trouble: 'none' } as const;
  const steps = Array.from({ length: late }, () => toStep(start, context)).filter((step) => step?.kind === 'start');
  const now = clock.now();
  async function moveClock(): Promise<void> {
    for (const days of [1, 3, 10]) await clock.moveTo(later(now, days * DAY_MS));
  }
  await allOf<unknown>([...steps.map((step) => step.begin(database).answer), moveClock(), sweep(product, database)]);
  await assertNothingViolated(context);
  return steps.length;
}
