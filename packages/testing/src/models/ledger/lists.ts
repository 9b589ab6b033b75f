import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Database } from '../../../../server/src/db/database.ts';
import { inTransaction } from '../../../../server/src/db/database.ts';
import { type FrozenClock, freezeClock } from '../../database/frozen-clock.ts';
import { createCreditAccount } from '../../world/credit-account.ts';
import { countReached, explainSteps } from '../kit/player.ts';
import type { Command, Rush } from './commands.ts';
import { assertNoViolation, assertSameBalance, assertSameHistory, assertSameState } from './comparison.ts';
import { createLedgerModel } from './model.ts';
import { type LedgerUnderTest, type ListContext, type Step, toStep } from './steps.ts';

/** Near the end of a month, so that short waits cross it. */
const START = new Date('2030-01-20T12:00:00.000Z');

export interface Playground {
  ledger: LedgerUnderTest;
  database: Database;
  clock: FrozenClock;
  /** Counts the situations that the lists are meant to reach. */
  reached: Map<string, number>;
}

export async function preparePlayground(ledger: LedgerUnderTest, database: Database): Promise<Playground> {
  // The comparison reads all grants of an account after each command, which the service itself never does.
  await database.pool.query('create index on credit_grant (account_id)');
  await database.pool.query('create sequence lock_order');
  return { ledger, database, clock: await freezeClock(database, START), reached: new Map() };
}

async function beginList(playground: Playground): Promise<ListContext> {
  await playground.clock.moveTo(START);
  const account = await createCreditAccount(playground.database, 2);
  return { ...playground, ...account, model: createLedgerModel(START), steps: [] };
}

function countAnswers(playground: Playground, { model }: ListContext, answers: readonly unknown[]): void {
  const refusals = answers.flatMap((answer) => (answer as { refused?: string } | undefined)?.refused ?? []);
  const types = model.operations.map((operation) => operation.type);
  const children = model.grants.flatMap((grant) => (grant.parent ? ['return to an expired grant'] : []));
  countReached(playground, [...refusals, ...types, ...children]);
}

async function send({ database }: ListContext, step: Step): Promise<unknown> {
  const { inTransaction: work } = step;
  return work ? inTransaction(database, work) : step.outside?.();
}

/** Runs commands one after another and compares results and state with the model after each. */
export async function playList(playground: Playground, commands: readonly Command[]): Promise<number> {
  const context = await beginList(playground);
  const done: string[] = [];
  const answers: unknown[] = [];
  try {
    for (const command of commands) {
      const step = toStep(command, context);
      if (!step) continue;
      done.push(step.name);
      context.steps.push(step);
      const answer = await send(context, step);
      answers.push(answer);
      assert.deepEqual(answer, step.inModel(), 'answer');
      await assertSameState(context);
      await assertSameBalance(context);
    }
    await assertSameHistory(context);
    await assertNoViolation(context);
  } catch (cause) {
    throw explainSteps(done, cause);
  }
  countAnswers(playground, context, answers);
  return done.length;
}

class RolledBack extends Error {}

/**
 * Sends many commands concurrently. Each transaction draws a number from a sequence while it holds the account lock, so
 * the numbers are the order of execution: the model, run in that order, must give the same results.
 */
async function sendAtOnce(context: ListContext, steps: readonly { step: Step; rolledBack: boolean }[]) {
  const happened: { order: number; step: Step; answer: unknown }[] = [];
  await Promise.all(
    steps.map(async ({ step, rolledBack }) => {
      const { inTransaction: work } = step;
      if (!work) return send(context, step);
      const attempt = inTransaction(context.database, async (tx) => {
        const answer = await work(tx);
        const { rows } = await sql<{ order: number }>`select nextval('lock_order') as order`.execute(tx);
        if (rolledBack) throw new RolledBack();
        return { order: rows[0]?.order ?? 0, step, answer };
      });
      return attempt.then(
        (done) => happened.push(done),
        (error) => {
          if (!(error instanceof RolledBack)) throw error;
        },
      );
    }),
  );
  for (const { step, answer } of happened.toSorted((a, b) => a.order - b.order)) {
    assert.deepEqual(answer, step.inModel(), step.name);
  }
  return happened.map(({ answer }) => answer);
}

/** Runs a burst of equal starts, then a storm of all other commands; the clock is frozen meanwhile. */
export async function playRush(playground: Playground, rush: Rush): Promise<number> {
  const context = await beginList(playground);
  const [first = 0, second = 0, third = 0] = rush.amounts;
  const grants: Command[] = [
    { kind: 'grant', source: 'purchased', amount: first, days: null },
    { kind: 'grant', source: 'plan', amount: second, days: 20 },
    { kind: 'grant', source: 'purchased', amount: third, days: 1 },
    { kind: 'cap', of: 'key', which: 0, limit: rush.budget },
  ];
  for (const command of grants) await playOne(context, command);
  const starts = await rushOfStarts(context, rush);
  await playOne(context, { kind: 'wait', days: 2 });
  const storm = rush.storm.flatMap(({ command, times, rolledBack }) => {
    const step = toStep(command, context);
    if (!step) return [];
    context.steps.push(step);
    return Array.from({ length: times }, (_, copy) => ({ step, rolledBack: rolledBack && copy === 0 }));
  });
  const answers = await sendAtOnce(context, storm);
  await playOne(context, { kind: 'sweep' });
  await assertSameState(context);
  await assertSameBalance(context);
  await assertSameHistory(context);
  await assertNoViolation(context);
  countAnswers(playground, context, answers);
  return grants.length + starts + storm.length;
}

async function playOne(context: ListContext, command: Command): Promise<void> {
  const step = toStep(command, context);
  if (!step) return;
  context.steps.push(step);
  assert.deepEqual(await send(context, step), step.inModel(), step.name);
}

/** Sends every start twice; exactly as many succeed as the credits and the budget pay for. */
async function rushOfStarts(context: ListContext, rush: Rush): Promise<number> {
  const steps = Array.from({ length: rush.starts }, () => {
    const step = toStep({ kind: 'hold', key: 0, member: 0, ...rush.price }, context);
    if (!step) throw new Error('a hold is always possible');
    context.steps.push(step);
    return step;
  });
  await sendAtOnce(
    context,
    [...steps, ...steps].map((step) => ({ step, rolledBack: false })),
  );
  const price = rush.price.testing + rush.price.review;
  const credits = rush.amounts.reduce((sum, amount) => sum + amount, 0);
  const affordable = Math.floor(Math.min(credits, rush.budget ?? Infinity) / price);
  assert.equal(context.model.runs.size, Math.min(rush.starts, affordable), 'accepted starts');
  return 2 * steps.length;
}
