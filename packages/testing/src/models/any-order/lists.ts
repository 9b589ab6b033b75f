import assert from 'node:assert/strict';
import type { Pentest } from '@sortie/contract';
import { type Database, inTransaction } from '../../../../server/src/db/database.ts';
import { newId } from '../../../../server/src/platform/new-id.ts';
import { type FrozenClock, freezeClock } from '../../database/frozen-clock.ts';
import { type Counts, countReached, explainSteps } from '../kit/player.ts';
import { createStartAccount } from '../overspend/account.ts';
import type { Command, List } from './commands.ts';
import { viewModel, viewProduct } from './comparison.ts';
import type { Lease, Model } from './model.ts';
import type { Product } from './product.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { assertStatements } from './statements.ts';
import type { Context, Step } from './step.ts';
import { toStep } from './steps.ts';

const START = new Date('2030-01-20T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;

export interface Playground {
  product: Product;
  database: Database;
  clock: FrozenClock;
  reviewers: string[];
  lastAccountId: string;
  /** Counts the situations that the lists are meant to reach. */
  reached: Map<string, number>;
}

export async function preparePlayground(product: Product, database: Database): Promise<Playground> {
  const clock = await freezeClock(database, START);
  const reviewers = [newId('usr'), newId('usr')];
  await database.pool.query(
    `with made as (
      insert into identity."user" ("id", "name", "email")
      select id, 'Reviewer', lower(id) || '@example.com' from unnest($1::text[]) as id returning "id"
    )
    insert into staff_member (user_id, role) select "id", 'REVIEWER' from made`,
    [reviewers],
  );
  return { product, database, clock, reviewers, lastAccountId: '', reached: new Map() };
}

export interface Playing extends Context {
  recorder: Recorder;
  done: string[];
}

export async function beginList(playground: Playground, amounts: readonly [number, number, number]): Promise<Playing> {
  const { product, database, clock, reviewers } = playground;
  await clock.moveTo(START);
  await retire(playground);
  const account = await createStartAccount(database, START);
  const { accountId } = account;
  playground.lastAccountId = accountId;
  await database.pool.query(
    `with changed as (update account set plan = 'business' where id = $1)
    update verification set expires_at = expires_at + interval '10 years' where account_id = $1`,
    [accountId],
  );
  const now = START.getTime();
  const model: Model = { now, move: null, isSuspended: false, grants: [], runs: {} };
  for (const [index, amount] of amounts.entries()) {
    const source = index === 0 ? 'plan' : 'purchased';
    const expiresAt = [now + DAY_MS, now + 3 * DAY_MS, null][index] ?? null;
    model.grants.push({ source, expiresAt, available: amount, held: 0 });
    const grant = { accountId, source, amount, operationKey: `grant-${index}`, description: 'For the test.' } as const;
    const until = expiresAt === null ? null : new Date(expiresAt);
    await inTransaction(database, (tx) => product.credits.grantCredits(tx, { ...grant, expiresAt: until }));
  }
  const recorder = createRecorder();
  return { product, database, account, reviewers, model, leases: [], focus: undefined, recorder, done: [] };
}

/** Workers and sweeps read all accounts, so leftovers of the previous list are deactivated. */
async function retire({ database, lastAccountId }: Playground): Promise<void> {
  const { pool } = database;
  const values = [lastAccountId];
  await pool.query("update pentest set status = 'PAUSED' where account_id = $1 and completed_at is null", values);
  await pool.query('delete from idempotency_claim where account_id = $1', values);
  await pool.query('update credit_grant set expires_at = null where account_id = $1', values);
}

export function remember({ leases }: Context, step: Step, answer: unknown): void {
  if (step.kind === 'take' && answer !== null) leases.unshift(answer as Lease);
}

/** Sends a command to the product and the model, and compares the results. Resolves to the result. */
export async function play(command: Command, context: Playing): Promise<unknown> {
  const step = toStep(command, context);
  if (!step) return undefined;
  context.done.push(step.name);
  const answer = await step.send();
  remember(context, step, answer);
  const idle = () => false;
  assert.deepEqual(answer, step.inModel(context.model, answer, idle), 'answer');
  return answer;
}

async function assertSame(context: Playing): Promise<void> {
  const { pentests, ...view } = await viewProduct(context);
  for (const pentest of pentests) context.recorder.note(pentest);
  assert.deepEqual(view, viewModel(context.model));
}

/** Asserts the invariants at the end of every list. */
export async function endList(playground: Playground, context: Playing): Promise<void> {
  const { product, database, account, model } = context;
  const { pentests } = await viewProduct(context);
  await assertStatements(context, pentests);
  assert.deepEqual(await product.credits.checkInvariants(database.queries, account.accountId), [], 'invariants');
  const children = model.grants.slice(3).map(() => 'return to an expired grant');
  countReached(playground, [...pentests.flatMap(nameEnd), ...children]);
}

function nameEnd({ status, credits, reportReleased, depth }: Pentest): string[] {
  const review = status === 'COMPLETED' && depth !== 'LEAD' ? [reportReleased ? 'released' : 'not released'] : [];
  return [`${status} ${credits.state}`, ...review];
}

/** Names the situation that an operation and its result represent. */
export function nameAnswer({ kind }: Pick<Step, 'kind'>, answer: unknown): string[] {
  if (kind === 'sweep') return (answer as string[]).map(() => 'given up');
  if (kind === 'suspend') return ['suspend'];
  if (typeof answer === 'boolean') return [answer ? kind : `${kind} too late`];
  const { state } = (answer ?? {}) as { state?: string };
  return state === undefined ? [] : [`${kind} ${state}`];
}

/** Runs commands one after another and compares results and state with the model after each. */
export async function playList(playground: Playground, list: List): Promise<Counts> {
  const context = await beginList(playground, list.amounts);
  try {
    for (const command of list.commands) {
      countReached(playground, nameAnswer(command, await play(command, context)));
      await assertSame(context);
    }
    await endList(playground, context);
  } catch (cause) {
    throw explainSteps(context.done, cause);
  }
  return { operations: context.done.length, observations: context.recorder.observations };
}
