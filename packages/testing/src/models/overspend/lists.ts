import assert from 'node:assert/strict';
import type { Database } from '../../../../server/src/db/database.ts';
import { countReached, explainSteps } from '../kit/player.ts';
import { type Playground as LedgerPlayground, preparePlayground as prepareLedger } from '../ledger/lists.ts';
import { expireInModel } from '../ledger/model.ts';
import { createStartAccount, modelOf, type StartAccount } from './account.ts';
import type { Command } from './commands.ts';
import { assertNothingViolated, assertSame, assertSameOperations } from './comparison.ts';
import { OVERTAKEN } from './model.ts';
import { forgetInModel, givenUpClaims, sweepInModel } from './model-claims.ts';
import { startInModel } from './model-starts.ts';
import type { Product } from './product.ts';
import type { OverspendContext, Step } from './step.ts';
import { toStep } from './steps.ts';
import { sweep } from './sweep.ts';

export interface Playground extends LedgerPlayground {
  product: Product;
  start: Date;
  anotherAccount: StartAccount;
  lastAccount: StartAccount;
}

export async function preparePlayground(product: Product, database: Database): Promise<Playground> {
  const prepared = await prepareLedger(product, database);
  const start = prepared.clock.now();
  const anotherAccount = await createStartAccount(database, start);
  return { ...prepared, product, start, anotherAccount, lastAccount: anotherAccount };
}

export async function beginList(playground: Playground): Promise<OverspendContext> {
  const { product, database, clock, start, anotherAccount, lastAccount } = playground;
  // Sweeps read all accounts, so leftovers of the previous list are removed.
  const leftOver = [lastAccount.accountId];
  await database.pool.query('delete from idempotency_claim where account_id = $1', leftOver);
  await database.pool.query('update credit_grant set expires_at = null where account_id = $1', leftOver);
  await clock.moveTo(start);
  const account = await createStartAccount(database, start);
  playground.lastAccount = account;
  const model = modelOf(account, start);
  return { product, database, clock, account, anotherAccount, model, requests: [], paused: [] };
}

export function countAnswers(playground: Playground, answers: readonly unknown[]): void {
  countReached(playground, answers.flatMap(nameOf));
}

/** Names the situation that a result represents. */
function nameOf(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  if ('code' in answer) return [String(answer.code)];
  if ('isReplay' in answer) return [answer.isReplay ? 'replayed' : 'accepted'];
  return 'success' in answer ? ['cancelled'] : [];
}

/** Runs commands one after another and compares results and state with the model after each. */
export async function playList(playground: Playground, commands: readonly Command[]): Promise<number> {
  const context = await beginList(playground);
  const done: string[] = [];
  const answers: unknown[] = [];
  async function play(command: Command): Promise<void> {
    const step = toStep(command, context);
    if (!step) return;
    done.push(step.name);
    answers.push(...(await takeStep(step, context)));
    await assertSame(context);
  }
  try {
    for (const command of commands) await play(command);
    while (context.paused.length > 0) await play({ kind: 'goOn', attempt: 0 });
    await assertSameOperations(context);
    await assertNothingViolated(context);
  } catch (cause) {
    throw explainSteps(done, cause);
  } finally {
    await release(context);
  }
  countAnswers(playground, answers);
  return done.length;
}

/** After a failure, paused attempts would keep their connections. */
async function release({ paused }: OverspendContext): Promise<void> {
  for (const attempt of paused) attempt.goOn();
  await Promise.allSettled(paused.map(({ answer }) => answer));
}

/** Sends a step to the product and the model, and compares. Resolves to the product's results. */
export async function takeStep(step: Step, context: OverspendContext): Promise<unknown[]> {
  const { database, model, paused } = context;
  if (step.kind === 'sweep') return takeSweep(context);
  if (step.kind === 'one transaction') {
    const answer = await step.send(database);
    return [assertAnswer(answer, step.inModel())];
  }
  const attempt = step.begin(database);
  const answer = await attempt.next;
  if (answer === 'paused') paused.push(attempt);
  return [assertAnswer(answer, startInModel(model, attempt))];
}

/** Returns the result to count. */
export function assertAnswer(answer: unknown, expected: unknown): unknown {
  if (expected !== OVERTAKEN) {
    assert.deepEqual(answer, expected, 'answer');
    return answer;
  }
  const { code = 'nothing' } = answer as { code?: string };
  assert.ok(code !== 'nothing' && code !== 'INTERNAL_ERROR', `an attempt that was overtaken is refused, not ${code}`);
  return OVERTAKEN;
}

async function takeSweep({ product, database, model }: OverspendContext): Promise<unknown[]> {
  const due = givenUpClaims(model).map(({ runId }) => runId);
  const ended = await sweep(product, database);
  assert.deepEqual(ended.toSorted(), due.toSorted(), 'runs that are given up');
  // In the order in which their credits were returned.
  for (const runId of ended) sweepInModel(model, runId);
  expireInModel(model.ledger);
  forgetInModel(model);
  return ended.map(() => ({ code: 'given up' }));
}
