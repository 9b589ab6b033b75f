import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { type FrozenClock, freezeClock } from '@sortie/testing/database/frozen-clock.ts';
import { type CreditAccount, createCreditAccount } from '@sortie/testing/world/credit-account.ts';
import { inTransaction } from '../db/database.ts';
import type { StartEndpoint } from '../db/schema.ts';
import { createLog } from '../platform/log.ts';
import { newId } from '../platform/new-id.ts';
import { scanKind } from '../scans/scans.ts';
import { insertScan } from '../scans/store.ts';
import { takeClaim } from './claims.ts';
import { createStartJobs } from './jobs.ts';
import type { Claim, RunKind } from './starts.ts';

const START = new Date('2030-01-20T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const settings = { claimHeldMs: 2 * MINUTE, givenUpAfterMs: 5 * MINUTE };
const fingerprint = Buffer.alloc(32, 'one body');

let test: TestDatabase;
let clock: FrozenClock;
let account: CreditAccount;
let lines: string[];

before(async () => {
  test = await createTestDatabase();
  clock = await freezeClock(test.database, START);
});
after(() => test.drop());

beforeEach(async () => {
  lines = [];
  await clock.moveTo(START);
  await test.database.queries.deleteFrom('idempotency_claim').execute();
  account = await createCreditAccount(test.database);
});

const logged = () => lines.map((line) => JSON.parse(line));

function run(name: string, kinds: readonly RunKind[] = [scanKind]): Promise<void> {
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const job = createStartJobs(test.database, { kinds, settings, log }).find((each) => each.name === name);
  return job ? job.run() : Promise.reject(new Error(`there is no job ${name}`));
}

const giveUp = (...kinds: RunKind[]) => run('give-up-starts', kinds.length > 0 ? kinds : undefined);

const ago = (milliseconds: number) => new Date(START.getTime() - milliseconds);

interface NewClaim {
  state?: 'CLAIMED' | 'CREATED' | 'DONE';
  endpoint?: StartEndpoint;
  /** All in milliseconds before the current time of the test. */
  createdAgo?: number;
  heldUntilAgo?: number;
  expiresAgo?: number;
}

/** Adds the claim of an abandoned start. By default it failed, was not retried, and is just due. */
async function addClaim(claim: NewClaim = {}): Promise<string> {
  const { state = 'CREATED', endpoint = 'POST /v1/scans', createdAgo = 5 * MINUTE, heldUntilAgo = 3 * MINUTE } = claim;
  const runId = newId('scn');
  const answer = {
    answer_status: 201,
    answer_body: 'the first answer',
    expires_at: ago(claim.expiresAgo ?? -19 * HOUR),
  };
  await test.database.queries
    .insertInto('idempotency_claim')
    .values({
      account_id: account.accountId,
      // Makes the claim findable by its run, no matter which attempt owns it.
      idempotency_key: runId,
      endpoint,
      fingerprint,
      state,
      owner: randomUUID(),
      run_id: runId,
      held_until: ago(heldUntilAgo),
      run_created_at: state === 'CLAIMED' ? null : ago(createdAgo),
      ...(state === 'DONE' && answer),
    })
    .execute();
  return runId;
}

/** Adds the claim together with its scan. */
async function addScan(claim: NewClaim = {}): Promise<string> {
  const runId = await addClaim(claim);
  const { accountId, userIds, apiKeyIds } = account;
  const [userId = '', apiKeyId = ''] = [userIds[0], apiKeyIds[0]];
  const site = { url: 'https://example.com/', host: 'example.com', domain: 'example.com', algorithmVersion: 1 };
  await inTransaction(test.database, (tx) => insertScan(tx, { id: runId, accountId, userId, apiKeyId, ...site }));
  return runId;
}

async function addMany(count: number, claim: NewClaim = {}): Promise<string[]> {
  const runIds: string[] = [];
  // Each a little later than the one before, so that the order of the sweep is known.
  for (let i = 0; i < count; i++) runIds.push(await addClaim({ ...claim, heldUntilAgo: 30 * MINUTE - i }));
  return runIds;
}

const readClaim = (runId: string) =>
  test.database.queries
    .selectFrom('idempotency_claim')
    .selectAll()
    .where('idempotency_key', '=', runId)
    .executeTakeFirst();

const readScan = (runId: string) =>
  test.database.queries.selectFrom('scan').selectAll().where('id', '=', runId).executeTakeFirstOrThrow();

async function isLeftAlone(runId: string): Promise<boolean> {
  const { status, completed_at } = await readScan(runId);
  return status === 'STARTED' && completed_at === null;
}

const runIdsIn = async (state: 'CREATED' | 'DONE') =>
  (await test.database.queries.selectFrom('idempotency_claim').select('run_id').where('state', '=', state).execute())
    .map((row) => row.run_id)
    .toSorted();

/** A kind without a table; its runs end unless `work` throws. */
const kindOf = (endpoint: StartEndpoint, work: (claim: Claim) => void = () => undefined): RunKind => ({
  ...scanKind,
  endpoint,
  async giveUp(_tx, claim) {
    work(claim);
    return { id: claim.runId, status: 'ENDED' };
  },
});

/** A kind of which some runs cannot be ended. */
const stuckKind = (endpoint: StartEndpoint, stuck: readonly string[]) =>
  kindOf(endpoint, ({ runId }) => {
    if (stuck.includes(runId)) throw new Error('this one cannot be ended');
  });

describe('the sweep for starts that were given up', () => {
  it('ends a run that was created five minutes ago, and stores the answer for 24 hours', async () => {
    const runId = await addScan();
    await giveUp();
    const scan = await readScan(runId);
    assert.deepEqual([scan.status, scan.completed_at, scan.handed_over_at], ['COMPLETED', START, null]);
    assert.deepEqual([scan.failure_code, scan.score], ['START_FAILED', null]);
    const claim = await readClaim(runId);
    assert.deepEqual([claim?.state, claim?.answer_status], ['DONE', 201]);
    assert.deepEqual(JSON.parse(claim?.answer_body ?? ''), { id: runId, domain: 'example.com', status: 'COMPLETED' });
    assert.deepEqual(claim?.expires_at, ago(-24 * HOUR));
    assert.deepEqual([logged().length, logged()[0].level, logged()[0].count], [1, 'warn', 1]);
  });

  it('leaves one that is younger by a millisecond', async () => {
    const runId = await addScan({ createdAgo: 5 * MINUTE - 1 });
    await giveUp();
    assert.ok(await isLeftAlone(runId));
    await clock.moveTo(ago(-1));
    await giveUp();
    assert.ok(!(await isLeftAlone(runId)));
  });

  it('leaves one that an attempt still holds, however old it is, until the hold ends', async () => {
    const runId = await addScan({ createdAgo: HOUR, heldUntilAgo: -1 });
    await giveUp();
    assert.ok(await isLeftAlone(runId));
    assert.equal((await readClaim(runId))?.state, 'CREATED');
    await clock.moveTo(ago(-1));
    await giveUp();
    assert.ok(!(await isLeftAlone(runId)));
  });

  it('leaves claims that created nothing, and starts that are done', async () => {
    const claimed = await addClaim({ state: 'CLAIMED', heldUntilAgo: HOUR });
    const done = await addScan({ state: 'DONE', createdAgo: HOUR });
    const before = [await readClaim(claimed), await readClaim(done)];
    await giveUp();
    assert.deepEqual([await readClaim(claimed), await readClaim(done)], before);
    assert.ok(await isLeftAlone(done));
    assert.deepEqual(lines, []);
  });

  it('leaves the starts of other kinds to them', async () => {
    const runId = await addScan();
    await giveUp(kindOf('POST /v1/pentests'));
    assert.ok(await isLeftAlone(runId));
  });

  it('leaves one that a retry takes over before or while it is being ended', async () => {
    const due = [await addScan(), await addScan(), await addScan()];
    let taken: string[] = [];
    const takeOver = (runId: string) => {
      const request = { accountId: account.accountId, idempotencyKey: runId, fingerprint };
      return takeClaim(test.database.queries, { ...request, endpoint: 'POST /v1/scans' }, newId('scn'), settings);
    };
    const interrupted: RunKind = {
      ...scanKind,
      async giveUp(tx, claim) {
        const answer = await scanKind.giveUp(tx, claim);
        if (taken.length === 0) {
          const next = due.find((runId) => runId !== claim.runId) ?? '';
          taken = [claim.runId, next];
          for (const runId of taken) assert.equal((await takeOver(runId)).found, 'taken');
        }
        return answer;
      },
    };
    await giveUp(interrupted);
    assert.equal(taken.length, 2);
    for (const runId of taken) {
      assert.ok(await isLeftAlone(runId));
      const { state, held_until } = (await readClaim(runId)) ?? {};
      assert.deepEqual([state, held_until], ['CREATED', ago(-2 * MINUTE)]);
    }
    assert.deepEqual(
      await runIdsIn('DONE'),
      due.filter((runId) => !taken.includes(runId)),
    );
    assert.deepEqual(
      logged().map(({ level, count }) => [level, count]),
      [['warn', 1]],
    );
  });

  it('leaves one that another node has ended since this one found it', async () => {
    const runId = await addScan();
    const late: RunKind = {
      ...scanKind,
      async giveUp(tx, claim) {
        await giveUp();
        await clock.moveTo(ago(-MINUTE));
        return scanKind.giveUp(tx, claim);
      },
    };
    await giveUp(late);
    assert.deepEqual((await readClaim(runId))?.expires_at, ago(-24 * HOUR));
    assert.deepEqual((await readScan(runId)).completed_at, START);
    assert.deepEqual(
      logged().map(({ level, count }) => [level, count]),
      [['warn', 1]],
    );
  });

  it('ends all that are due, however many there are', async () => {
    const due = await addMany(250);
    const young = await addClaim({ createdAgo: MINUTE });
    await giveUp(kindOf('POST /v1/scans'));
    assert.deepEqual(await runIdsIn('DONE'), due.toSorted());
    assert.deepEqual(await runIdsIn('CREATED'), [young]);
    assert.equal(
      logged().reduce((sum, { count }) => sum + count, 0),
      250,
    );
  });
});

describe('a start that cannot be given up', () => {
  it('does not stop the others; the sweep says whose it is, fails, and comes back to it', async () => {
    const [first, stuck, last] = await addMany(3);
    await assert.rejects(giveUp(stuckKind('POST /v1/scans', [stuck ?? ''])), /cannot be ended/);
    assert.deepEqual(await runIdsIn('DONE'), [first, last].toSorted());
    const [failure] = logged().filter(({ level }) => level === 'error');
    assert.deepEqual([failure?.accountId, failure?.errorName], [account.accountId, 'Error']);
    await giveUp(kindOf('POST /v1/scans'));
    assert.deepEqual(await runIdsIn('CREATED'), []);
  });

  it('does not stop the others when there are more than one look finds', async () => {
    const due = await addMany(150);
    const [stuck = ''] = due;
    await assert.rejects(giveUp(stuckKind('POST /v1/scans', [stuck])));
    assert.deepEqual(await runIdsIn('CREATED'), [stuck]);
  });

  it('does not stop the others when so many of them stand first that one look finds nothing else', async () => {
    const stuck = await addMany(100);
    const due = await addClaim({ heldUntilAgo: 0 });
    const kind = stuckKind('POST /v1/scans', stuck);
    for (let i = 0; i < 3; i++) await assert.rejects(giveUp(kind));
    assert.deepEqual(await runIdsIn('DONE'), [due]);
  });

  it('does not stop those of another kind', async () => {
    const stuck = await addClaim({ endpoint: 'POST /v1/pentests' });
    const due = await addScan();
    await assert.rejects(giveUp(stuckKind('POST /v1/pentests', [stuck]), scanKind));
    assert.ok(!(await isLeftAlone(due)));
    assert.deepEqual(await runIdsIn('CREATED'), [stuck]);
  });
});

describe('the sweep for old claims', () => {
  const forget = () => run('forget-starts');
  const exists = async (runId: string) => (await readClaim(runId)) !== undefined;

  it('forgets an answer when its 24 hours are over, not before', async () => {
    const expired = await addClaim({ state: 'DONE', expiresAgo: 0 });
    const valid = await addClaim({ state: 'DONE', expiresAgo: -1 });
    await forget();
    assert.deepEqual([await exists(expired), await exists(valid)], [false, true]);
  });

  it('forgets a claim whose attempt died without creating anything an hour ago, not before', async () => {
    const dead = await addClaim({ state: 'CLAIMED', heldUntilAgo: HOUR });
    const dying = await addClaim({ state: 'CLAIMED', heldUntilAgo: HOUR - 1 });
    const alive = await addClaim({ state: 'CLAIMED', heldUntilAgo: -MINUTE });
    await forget();
    assert.deepEqual([await exists(dead), await exists(dying), await exists(alive)], [false, true, true]);
  });

  it('never forgets a run that was created and not handed over', async () => {
    const runId = await addClaim({ createdAgo: 365 * 24 * HOUR, heldUntilAgo: 365 * 24 * HOUR });
    await forget();
    assert.ok(await exists(runId));
  });

  it('forgets all that are old, however many there are, and leaves their runs', async () => {
    await test.database.pool.query(
      `insert into idempotency_claim (account_id, idempotency_key, endpoint, fingerprint, state, owner, run_id, held_until)
       select $1, 'old-' || n, 'POST /v1/scans', $2, 'CLAIMED', gen_random_uuid(), 'run', $3 from generate_series(1, 2_500) as n`,
      [account.accountId, fingerprint, ago(HOUR)],
    );
    const done = await addScan({ state: 'DONE', expiresAgo: 0 });
    await forget();
    assert.deepEqual(await test.database.queries.selectFrom('idempotency_claim').select('run_id').execute(), []);
    assert.equal((await readScan(done)).id, done);
  });
});
