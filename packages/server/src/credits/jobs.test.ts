import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { type FrozenClock, freezeClock } from '@sortie/testing/database/frozen-clock.ts';
import { type CreditAccount, createCreditAccount } from '@sortie/testing/world/credit-account.ts';
import { sql } from 'kysely';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { inTransaction } from '../db/database.ts';
import { createLog } from '../platform/log.ts';
import { grantCredits, readAccountBalance } from './credits.ts';
import { createCreditJobs } from './jobs.ts';

const START = new Date('2030-01-20T12:00:00.000Z');

let test: TestDatabase;
let clock: FrozenClock;
let lines: string[];

before(async () => {
  test = await createTestDatabase();
  clock = await freezeClock(test.database, START);
});
after(() => test.drop());

beforeEach(async () => {
  lines = [];
  await clock.moveTo(START);
});

const createJobs = () =>
  createCreditJobs(test.database, defaultCatalogue, createLog('warn', { write: (line) => void lines.push(line) }));

function run(name: string, jobs = createJobs()): Promise<void> {
  const job = jobs.find((each) => each.name === name);
  return job ? job.run() : Promise.reject(new Error(`there is no job ${name}`));
}

const logged = () => lines.map((line) => JSON.parse(line));

/** Creates two accounts, ordered by id, which is the order of a sweep. */
async function createTwoAccounts(plan: string): Promise<[CreditAccount, CreditAccount]> {
  const [first, second] = [
    await createCreditAccount(test.database, 1, plan),
    await createCreditAccount(test.database, 1, plan),
  ];
  return first.accountId < second.accountId ? [first, second] : [second, first];
}

/** Keeps an account locked during the work, like a hanging transaction. */
async function whileLocked<T>({ accountId }: CreditAccount, work: () => Promise<T>): Promise<T> {
  const client = await test.database.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from account where id = $1 for update', [accountId]);
    return await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const planCredits = async ({ accountId }: CreditAccount) =>
  (await inTransaction(test.database, (tx) => readAccountBalance(tx, accountId))).plan;

describe('a sweep over accounts', () => {
  it('grants plan credits past an account that is stuck, says which, fails, and comes back to it', async () => {
    const [stuck, other] = await createTwoAccounts('team');
    await whileLocked(stuck, () => assert.rejects(run('grant-plan-credits'), /1 accounts/));
    assert.deepEqual([await planCredits(stuck), await planCredits(other)], [0, 5_000]);
    const [line] = logged();
    const LOCK_NOT_AVAILABLE = '55P03';
    assert.deepEqual(
      [line.job, line.accountId, line.errorCode],
      ['grant-plan-credits', stuck.accountId, LOCK_NOT_AVAILABLE],
    );
    await run('grant-plan-credits');
    assert.equal(await planCredits(stuck), 5_000);
  });

  it('expires credits past an account that is stuck', async () => {
    const accounts = await createTwoAccounts('free');
    for (const { accountId } of accounts) {
      const request = { accountId, amount: 10, operationKey: 'k', description: 'd' };
      const expiresAt = new Date(START.getTime() + 1_000);
      await inTransaction(test.database, (tx) => grantCredits(tx, { ...request, source: 'plan', expiresAt }));
    }
    await clock.moveTo(new Date(START.getTime() + 2_000));
    const [stuck, other] = accounts;
    await whileLocked(stuck, () => assert.rejects(run('expire-credits')));
    const left = await test.database.queries
      .selectFrom('credit_grant')
      .select('account_id')
      .where('available', '>', 0)
      .where('account_id', 'in', [stuck.accountId, other.accountId])
      .execute();
    assert.deepEqual(left, [{ account_id: stuck.accountId }]);
    assert.deepEqual([logged()[0].job, logged()[0].accountId], ['expire-credits', stuck.accountId]);
  });
});

describe('the check of all accounts', () => {
  it('has nothing to say about sound ledgers', async () => {
    await run('check-credits');
    assert.deepEqual(lines, []);
  });

  it('names the first violations with their accounts, and counts them all', async () => {
    const broken = await createTwoAccounts('free');
    await inTransaction(test.database, async (tx) => {
      for (const { accountId } of broken) {
        const request = { accountId, source: 'plan', amount: 10, expiresAt: null, description: 'd' } as const;
        for (let i = 0; i < 15; i++) await grantCredits(tx, { ...request, operationKey: `k${i}` });
      }
      await sql`set local session_replication_role = replica`.execute(tx);
      const ids = broken.map(({ accountId }) => accountId);
      await tx.updateTable('credit_operation').set({ held_after: 1 }).where('account_id', 'in', ids).execute();
    });
    await run('check-credits');
    const violations = logged().filter((line) => line.violation !== undefined);
    assert.equal(violations.length, 20);
    assert.deepEqual(
      new Set(violations.map((line) => line.accountId)),
      new Set(broken.map(({ accountId }) => accountId)),
    );
    assert.deepEqual(
      logged().flatMap((line) => line.count ?? []),
      [30],
    );
  });
});

describe('a plan that the catalogue does not know', () => {
  it('is named once per start, with how many accounts have it', async () => {
    await createTwoAccounts('discontinued');
    const jobs = createJobs();
    await run('grant-plan-credits', jobs);
    await run('grant-plan-credits', jobs);
    const [line, ...rest] = logged();
    assert.deepEqual(rest, []);
    assert.match(line.msg, /"discontinued"/);
    assert.deepEqual([line.job, line.count], ['grant-plan-credits', 2]);
    await run('grant-plan-credits');
    assert.equal(lines.length, 2);
  });
});
