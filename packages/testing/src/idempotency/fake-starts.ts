import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../../server/src/db/database.ts';
import { AppError } from '../../../server/src/errors/app-error.ts';
import { createLog } from '../../../server/src/platform/log.ts';
import { createHandOver, type HandOver } from '../../../server/src/starts/hand-over.ts';
import { createStartJobs } from '../../../server/src/starts/jobs.ts';
import { type CreateRun, type RunKind, type StartedRun, startOnce } from '../../../server/src/starts/starts.ts';
import { createTestDatabase } from '../database/database.ts';
import { freezeClock } from '../database/frozen-clock.ts';
import { createCreditAccount } from '../world/credit-account.ts';

export const SECOND = 1_000;
export const HOLD = 120 * SECOND;
export const GIVEN_UP = 300 * SECOND;
export const DAY = 24 * 3_600 * SECOND;

const log = createLog('silent');
const settings = { claimHeldMs: HOLD, givenUpAfterMs: GIVEN_UP };

export interface FakeScene {
  database: Database;
  accountId: string;
  /** Advances the service clock, which is frozen otherwise. */
  pass(milliseconds: number): Promise<void>;
  end(): Promise<void>;
}

/** Creates a database with an account, and a fake kind of run that records its calls. */
export async function createFakeScene(): Promise<FakeScene> {
  const { database, drop } = await createTestDatabase();
  const clock = await freezeClock(database, new Date('2030-01-20T12:00:00.000Z'));
  await database.pool.query(`create table fake_run (
    id text primary key, idempotency_key text not null, body text not null,
    status text not null default 'QUEUED', handed_over integer not null default 0)`);
  const { accountId } = await createCreditAccount(database);
  const pass = (milliseconds: number) => clock.moveTo(new Date(clock.now().getTime() + milliseconds));
  return { database, accountId, pass, end: drop };
}

async function readStarted(tx: Transaction, runId: string): Promise<StartedRun> {
  const { rows } = await sql<StartedRun>`select id, status from fake_run where id = ${runId}`.execute(tx);
  if (!rows[0]) throw new Error(`there is no run ${runId}`);
  return rows[0];
}

const fakeKind: RunKind = {
  endpoint: 'POST /v1/scans',
  idPrefix: 'scn',
  async enqueue(tx, runId) {
    await sql`update fake_run set handed_over = handed_over + 1 where id = ${runId} and status = 'QUEUED'`.execute(tx);
    return readStarted(tx, runId);
  },
  async giveUp(tx, { accountId, runId }) {
    await sql`select from account where id = ${accountId} for no key update`.execute(tx);
    await sql`update fake_run set status = 'FAILED' where id = ${runId} and handed_over = 0`.execute(tx);
    return readStarted(tx, runId);
  },
  // Fake runs have no owner.
  refuseStranger: () => Promise.resolve(),
};

export interface FakeStart {
  body?: string;
  /** Called in the transaction that creates the run. */
  beforeCreate?: () => Promise<void>;
  afterCreate?: () => Promise<void>;
  wrapHandOver?: (handOver: HandOver) => HandOver;
}

export type Outcome =
  | { end: 'started' | 'replayed'; id: string; status: string; text: string }
  | { end: 'in progress'; retryAfter: number | undefined; hasCreated: boolean }
  | { end: 'reused' }
  | { end: 'failed'; error: unknown };

/** Sends one start. Resolves to its outcome. */
export async function startFake(
  { database, accountId }: Pick<FakeScene, 'database' | 'accountId'>,
  key: string,
  start: FakeStart = {},
): Promise<Outcome> {
  const { body = 'body', wrapHandOver = (handOver) => handOver } = start;
  let hasCreated = false;
  const create: CreateRun = async (tx, runId) => {
    await start.beforeCreate?.();
    await sql`select from account where id = ${accountId} for no key update`.execute(tx);
    await sql`insert into fake_run (id, idempotency_key, body) values (${runId}, ${key}, ${body})`.execute(tx);
    hasCreated = true;
    await start.afterCreate?.();
  };
  const context = { database, settings, log, handOver: wrapHandOver(createHandOver(database)) };
  const request = {
    accountId,
    userId: '',
    idempotencyKey: key,
    fingerprint: createHash('sha256').update(body).digest(),
  };
  try {
    const answer = await startOnce(context, fakeKind, request, create);
    return { end: answer.isReplay ? 'replayed' : 'started', text: answer.body, ...JSON.parse(answer.body) };
  } catch (error) {
    if (!(error instanceof AppError)) return { end: 'failed', error };
    if (error.code === 'IDEMPOTENCY_KEY_REUSED') return { end: 'reused' };
    if (error.code !== 'IDEMPOTENCY_IN_PROGRESS') return { end: 'failed', error };
    return { end: 'in progress', retryAfter: error.retryAfterSeconds, hasCreated };
  }
}

/** Gives up starts that were not retried in time. */
export async function sweepFakes(database: Database): Promise<void> {
  const jobs = createStartJobs(database, { kinds: [fakeKind], settings, log });
  await jobs.find(({ name }) => name === 'give-up-starts')?.run();
}

interface FakeRun {
  id: string;
  status: string;
  body: string;
  handedOver: number;
}

export async function readFakeRuns({ pool }: Database, key: string): Promise<FakeRun[]> {
  const text = 'select id, status, body, handed_over as "handedOver" from fake_run where idempotency_key = $1';
  return (await pool.query(text, [key])).rows;
}

/** Resolves to the only run of the key. */
export async function readOnlyRun(database: Database, key: string): Promise<FakeRun> {
  const [run, ...others] = await readFakeRuns(database, key);
  assert.ok(run, 'there is no run');
  assert.deepEqual(others, []);
  return run;
}

export function assertStarted(outcome: Outcome, end: 'started' | 'replayed', status = 'QUEUED') {
  assert.equal(outcome.end, end, JSON.stringify(outcome));
  assert.ok('id' in outcome);
  assert.equal(outcome.status, status);
  return outcome;
}

export function assertInProgress(outcome: Outcome, retryAfter: number): void {
  assert.ok(outcome.end === 'in progress', JSON.stringify(outcome));
  assert.equal(outcome.retryAfter, retryAfter);
}

/** Asserts an error that becomes a 500 response. */
export function assertFailed(outcome: Outcome): void {
  assert.ok(outcome.end === 'failed', JSON.stringify(outcome));
  assert.ok(!(outcome.error instanceof AppError), String(outcome.error));
}

/** Rejects, to make a start fail at this point. */
export const fail = () => Promise.reject(new Error('as the test wants it'));
export const failHandOver = { wrapHandOver: () => fail };
