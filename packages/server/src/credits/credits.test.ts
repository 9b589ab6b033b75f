import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { type FrozenClock, freezeClock } from '@sortie/testing/database/frozen-clock.ts';
import {
  type CreditAccount,
  createCreditAccount,
  setAllowance,
  setBudget,
} from '@sortie/testing/world/credit-account.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { inTransaction, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import {
  adjustCredits,
  checkInvariants,
  createBalanceReader,
  grantCredits,
  grantPlanCredits,
  holdCredits,
  readAccountBalance,
  readCreditsOfRuns,
  readRunCredits,
  readUsage,
  returnAll,
  settlePart,
} from './credits.ts';
import { expireDueGrants, grantDuePlanCredits } from './jobs.ts';

const START = new Date('2030-01-20T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;

let test: TestDatabase;
let clock: FrozenClock;
let account: CreditAccount;
let operations = 0;

before(async () => {
  test = await createTestDatabase();
  clock = await freezeClock(test.database, START);
});
after(() => test.drop());

beforeEach(async () => {
  await clock.moveTo(START);
  account = await createCreditAccount(test.database, 2);
});

function inDays(days: number): Date {
  return new Date(START.getTime() + days * DAY_MS);
}

/** Checks all invariants after every command, so that a test fails at the command that breaks one. */
async function command<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  const answer = await inTransaction(test.database, work);
  assert.deepEqual(await checkInvariants(test.database.queries, account.accountId), []);
  return answer;
}

interface GrantExample {
  source?: 'plan' | 'purchased';
  expiresAt?: Date | null;
  operationKey?: string;
}

function grant(amount: number, { source = 'purchased', expiresAt = null, operationKey }: GrantExample = {}) {
  const { accountId } = account;
  const key = operationKey ?? `grant-${operations++}`;
  return command((tx) =>
    grantCredits(tx, { accountId, source, amount, expiresAt, operationKey: key, description: 'Bought.' }),
  );
}

function adjust(amount: number, operationKey = `adjustment-${operations++}`) {
  const { accountId } = account;
  return command((tx) => adjustCredits(tx, { accountId, amount, operationKey, description: 'Corrected.' }));
}

interface HoldExample {
  review?: number;
  apiKeyId?: string | null;
  userId?: string;
  runId?: string;
}

async function hold(testing: number, example: HoldExample = {}) {
  const { accountId, userIds } = account;
  const runId = example.runId ?? `run-${operations++}`;
  const run = {
    runId,
    accountId,
    apiKeyId: example.apiKeyId ?? null,
    userId: example.userId ?? userIds[0] ?? '',
    testing,
    review: example.review ?? 0,
    description: 'Light pentest of shop.example',
  };
  return { runId, answer: await command((tx) => holdCredits(tx, run)) };
}

const settle = (runId: string, part: 'testing' | 'review', charge: number) =>
  command((tx) => settlePart(tx, runId, part, charge));
const giveBack = (runId: string, isStarted = true) => command((tx) => returnAll(tx, runId, isStarted));
const credits = (runId: string) => readRunCredits(test.database.queries, runId);

function balance(apiKeyId: string | null = null, userId = account.userIds[0] ?? '') {
  return createBalanceReader(test.database).read({ accountId: account.accountId, apiKeyId, userId, isCapped: true });
}

async function usage(question: Partial<Parameters<typeof readUsage>[1]> = {}) {
  return readUsage(test.database.queries, { accountId: account.accountId, limit: 100, offset: 0, ...question });
}

async function history(): Promise<string[]> {
  const { usage: records } = await usage();
  return records.toReversed().map(({ type, credits, part }) => [type, credits, part].filter(Boolean).join(' '));
}

describe('a grant', () => {
  it('adds its credits to the balance', async () => {
    await grant(300, { source: 'plan' });
    const booked = await grant(200);
    assert.equal(booked.credits, 200);
    assert.deepEqual(booked.balanceAfter, { available: 500, held: 0 });
    const { available, plan, purchased } = await balance();
    assert.deepEqual({ available, plan, purchased }, { available: 500, plan: 300, purchased: 200 });
  });

  it('is given once, however often it is asked for with the same key', async () => {
    const first = await grant(200, { operationKey: 'invoice-7' });
    await grant(50);
    assert.deepEqual(await grant(200, { operationKey: 'invoice-7' }), first);
    assert.equal((await balance()).available, 250);
  });

  it('may use a key that another account has used', async () => {
    await grant(200, { operationKey: 'welcome' });
    account = await createCreditAccount(test.database);
    await grant(200, { operationKey: 'welcome' });
    assert.equal((await balance()).available, 200);
  });

  it('is refused when it would have expired already', async () => {
    await assert.rejects(grant(200, { expiresAt: START }), { code: 'VALIDATION_ERROR', field: 'expiresAt' });
  });

  for (const amount of [0, -5, 1.5, 1e12, Number.NaN]) {
    it(`cannot be of ${amount} credits`, async () => {
      await assert.rejects(grant(amount), { code: 'VALIDATION_ERROR', field: 'amount' });
    });
  }

  it('needs an account', async () => {
    account = { ...account, accountId: 'acc_nobody' };
    await assert.rejects(grant(5), (error) => error instanceof AppError && error.code === 'NOT_FOUND');
  });

  it('refuses a transaction that would not see what others committed while it waited', async () => {
    const { accountId } = account;
    const request = { accountId, amount: 1, operationKey: 'k', description: 'd' };
    const transaction = test.database.queries.transaction().setIsolationLevel('repeatable read');
    await assert.rejects(
      transaction.execute((tx) => adjustCredits(tx, request)),
      /read committed/,
    );
  });
});

describe('an adjustment', () => {
  it('gives credits that do not expire', async () => {
    await adjust(70);
    const { purchased, nextExpiry } = await balance();
    assert.deepEqual({ purchased, nextExpiry }, { purchased: 70, nextExpiry: null });
    assert.deepEqual(await history(), ['ADJUST 70']);
  });

  it('takes credits away in the order in which they would be spent', async () => {
    await grant(100);
    await grant(50, { expiresAt: inDays(3) });
    await adjust(-60);
    const { available, nextExpiry } = await balance();
    assert.deepEqual({ available, nextExpiry }, { available: 90, nextExpiry: null });
    assert.deepEqual(await history(), ['GRANT 100', 'GRANT 50', 'ADJUST -60']);
  });

  it('is refused when it would take more than is available, and may be asked for again', async () => {
    await grant(50);
    await hold(20);
    assert.deepEqual(await adjust(-31, 'correction'), { refused: 'INSUFFICIENT_CREDITS' });
    await grant(1);
    assert.deepEqual(await adjust(-31, 'correction'), await adjust(-31, 'correction'));
    assert.equal((await balance()).available, 0);
  });
});

describe('the credits of a plan', () => {
  const planned = () => command((tx) => grantPlanCredits(tx, account.accountId, defaultCatalogue));
  const setPlan = (plan: string) =>
    test.database.queries.updateTable('account').set({ plan }).where('id', '=', account.accountId).execute();

  it('come once a month and expire at its end', async () => {
    await setPlan('team');
    await planned();
    assert.equal(await planned(), undefined);
    const { plan, nextExpiry } = await balance();
    assert.equal(plan, 5_000);
    assert.deepEqual(nextExpiry, { credits: 5_000, at: '2030-02-01T00:00:00.000Z' });
    await clock.moveTo(new Date('2030-02-01T00:00:00.000Z'));
    assert.equal((await balance()).available, 0);
    await planned();
    assert.deepEqual(await history(), ['GRANT 5000', 'EXPIRE -5000', 'GRANT 5000']);
  });

  it('are filled up to those of a larger plan, and stay after a change to a smaller one', async () => {
    await setPlan('team');
    await planned();
    await setPlan('business');
    assert.equal((await planned())?.credits, 20_000);
    await setPlan('team');
    assert.equal(await planned(), undefined);
    assert.equal((await balance()).plan, 25_000);
  });

  it('are none in the free plan', async () => {
    assert.equal(await planned(), undefined);
  });

  it('are given to every account by the job', async () => {
    await setPlan('team');
    await grantDuePlanCredits(test.database, defaultCatalogue);
    await grantDuePlanCredits(test.database, defaultCatalogue);
    assert.equal((await balance()).plan, 5_000);
  });
});

describe('a hold', () => {
  it('takes the credits out of what is available', async () => {
    await grant(2_500);
    const { runId, answer } = await hold(1_500, { review: 500 });
    assert.ok('state' in answer && answer.state === 'RESERVED');
    const { available, held } = await balance();
    assert.deepEqual({ available, held }, { available: 500, held: 2_000 });
    assert.deepEqual(await credits(runId), { state: 'RESERVED', reserved: 2_000, charged: null, returned: null });
    assert.deepEqual(await history(), ['GRANT 2500', 'HOLD -1500 testing', 'HOLD -500 review']);
  });

  it('is one per run', async () => {
    await grant(500);
    const { runId, answer } = await hold(200);
    assert.deepEqual((await hold(200, { runId })).answer, answer);
    assert.equal((await balance()).held, 200);
  });

  it('is not given for the run of another account', async () => {
    await grant(500);
    const { runId } = await hold(200);
    account = await createCreditAccount(test.database);
    await assert.rejects(hold(200, { runId }), /another account/);
  });

  it('is refused when the balance covers only part of it', async () => {
    await grant(399);
    assert.deepEqual((await hold(300, { review: 100 })).answer, { refused: 'INSUFFICIENT_CREDITS' });
    await grant(1);
    assert.ok('state' in (await hold(300, { review: 100 })).answer);
  });

  it('spends what expires first, then plan before purchased, then the oldest', async () => {
    await grant(10);
    await grant(10, { source: 'plan' });
    await grant(10, { expiresAt: inDays(9) });
    await grant(10, { expiresAt: inDays(5), source: 'purchased' });
    await grant(10, { expiresAt: inDays(5), source: 'plan' });
    await grant(10, { expiresAt: inDays(5), source: 'plan' });
    const { runId } = await hold(15, { review: 30 });
    const { rows } = await test.database.pool.query(
      `select part, amount, grant_id - min(grant_id) over () as nth from credit_slice where run_id = $1 order by part desc, position`,
      [runId],
    );
    const drawn = rows.map(({ part, amount, nth }) => `${part} ${amount} of ${nth}`);
    assert.deepEqual(drawn, [
      'testing 10 of 3',
      'testing 5 of 4',
      'review 5 of 4',
      'review 10 of 2',
      'review 10 of 1',
      'review 5 of 0',
    ]);
  });

  it('cannot use credits from the instant they expire', async () => {
    await grant(100, { expiresAt: inDays(1) });
    await clock.moveTo(inDays(1));
    assert.deepEqual((await hold(100)).answer, { refused: 'INSUFFICIENT_CREDITS' });
    assert.deepEqual(await history(), ['GRANT 100', 'EXPIRE -100']);
  });

  it('needs whole credits for testing', async () => {
    await assert.rejects(hold(0), RangeError);
    await assert.rejects(hold(1.5), RangeError);
    await assert.rejects(hold(1, { review: -1 }), RangeError);
  });
});

describe('somebody without a place in the account', () => {
  it('holds nothing after the membership has ended', async () => {
    await grant(500);
    const [userId = ''] = account.userIds;
    await test.database.queries.deleteFrom('member').where('user_id', '=', userId).execute();
    await assert.rejects(hold(200, { userId }), { name: 'AppError', code: 'FORBIDDEN' });
    assert.equal((await balance()).held, 0);
  });

  it('holds nothing with a key that does not exist or belongs to another account', async () => {
    await grant(500);
    const other = await createCreditAccount(test.database);
    for (const apiKeyId of ['nothing', other.apiKeyIds[0] ?? '']) {
      await assert.rejects(hold(200, { apiKeyId }), { name: 'AppError', code: 'UNAUTHORIZED' });
    }
    assert.equal((await balance()).held, 0);
  });
});

describe('the credits that runs show', () => {
  it('are read for many runs at once, without those that never held any', async () => {
    await grant(100);
    const [first, second] = [await hold(10), await hold(20)];
    await giveBack(second.runId);
    const shown = await readCreditsOfRuns(test.database.queries, [first.runId, second.runId, 'run-paid-otherwise']);
    assert.deepEqual([...shown.keys()].toSorted(), [first.runId, second.runId].toSorted());
    assert.equal(shown.get(second.runId)?.returned, 20);
    assert.equal((await readCreditsOfRuns(test.database.queries, [])).size, 0);
  });
});

describe('the budget of a key and the allowance of a member', () => {
  it('are asked in this order, before the balance', async () => {
    const [apiKeyId = ''] = account.apiKeyIds;
    const [userId = ''] = account.userIds;
    await setBudget(test.database, apiKeyId, 99);
    await setAllowance(test.database, userId, 99);
    assert.deepEqual((await hold(100, { apiKeyId })).answer, { refused: 'API_KEY_CAP_EXCEEDED' });
    assert.deepEqual((await hold(100)).answer, { refused: 'ORG_CREDIT_CAP_EXCEEDED' });
    await setBudget(test.database, apiKeyId, 100);
    assert.deepEqual((await hold(100, { apiKeyId })).answer, { refused: 'ORG_CREDIT_CAP_EXCEEDED' });
    await setAllowance(test.database, userId, 100);
    assert.deepEqual((await hold(100, { apiKeyId })).answer, { refused: 'INSUFFICIENT_CREDITS' });
    await grant(100);
    assert.ok('state' in (await hold(100, { apiKeyId })).answer);
  });

  it('count what was reserved and did not come back', async () => {
    const [apiKeyId = ''] = account.apiKeyIds;
    await setBudget(test.database, apiKeyId, 150);
    await grant(1_000);
    const { runId } = await hold(80, { review: 20, apiKeyId });
    assert.deepEqual((await hold(60, { apiKeyId })).answer, { refused: 'API_KEY_CAP_EXCEEDED' });
    await settle(runId, 'testing', 70);
    assert.deepEqual((await balance(apiKeyId)).keyBudget, {
      limit: 150,
      used: 90,
      remaining: 60,
      resetsAt: '2030-02-01T00:00:00.000Z',
    });
    assert.ok('state' in (await hold(60, { apiKeyId })).answer);
  });

  it('begin anew with the month, whatever the runs of the last one still hold', async () => {
    const [userId = ''] = account.userIds;
    await setAllowance(test.database, userId, 100);
    await grant(1_000);
    const { runId } = await hold(100);
    await clock.moveTo(new Date('2030-02-01T00:00:00.000Z'));
    assert.equal((await balance()).memberAllowance?.used, 0);
    await hold(60);
    await giveBack(runId);
    assert.equal((await balance()).memberAllowance?.used, 60);
  });

  it('are those of one key and one member only', async () => {
    const [firstUser = '', secondUser = ''] = account.userIds;
    await setAllowance(test.database, firstUser, 0);
    await grant(100);
    assert.deepEqual((await hold(50, { userId: firstUser })).answer, { refused: 'ORG_CREDIT_CAP_EXCEEDED' });
    assert.ok('state' in (await hold(50, { userId: secondUser })).answer);
    assert.equal((await balance(null, secondUser)).memberAllowance, null);
  });

  it('show nothing left, not less, when they were lowered below what is used', async () => {
    const [apiKeyId = ''] = account.apiKeyIds;
    await grant(100);
    await hold(100, { apiKeyId });
    await setBudget(test.database, apiKeyId, 40);
    const { keyBudget } = await balance(apiKeyId);
    assert.deepEqual([keyBudget?.used, keyBudget?.remaining], [100, 0]);
  });
});

describe('a settlement', () => {
  it('charges the first slices and returns the last ones', async () => {
    await grant(100);
    await grant(60, { expiresAt: inDays(5) });
    const { runId } = await hold(120);
    await settle(runId, 'testing', 70);
    const { available, held, nextExpiry } = await balance();
    assert.deepEqual({ available, held, nextExpiry }, { available: 90, held: 0, nextExpiry: null });
    assert.deepEqual(await credits(runId), { state: 'CHARGED', reserved: 120, charged: 70, returned: 50 });
  });

  it('of testing leaves the run reserved until its review is settled too', async () => {
    await grant(2_000);
    const { runId } = await hold(1_500, { review: 500 });
    await settle(runId, 'testing', 900);
    assert.deepEqual(await credits(runId), { state: 'RESERVED', reserved: 2_000, charged: null, returned: null });
    await settle(runId, 'review', 500);
    assert.deepEqual(await credits(runId), { state: 'CHARGED', reserved: 2_000, charged: 1_400, returned: 600 });
    assert.deepEqual((await history()).slice(3), ['CHARGE -900 testing', 'RETURN 600 testing', 'CHARGE -500 review']);
  });

  it('of nothing at all is still a charge', async () => {
    await grant(400);
    const { runId } = await hold(400);
    await settle(runId, 'testing', 0);
    assert.deepEqual(await credits(runId), { state: 'CHARGED', reserved: 400, charged: 0, returned: 400 });
  });

  it('happens once: a later one changes nothing and answers what was done', async () => {
    await grant(400);
    const { runId } = await hold(400);
    const first = await settle(runId, 'testing', 250);
    assert.deepEqual(await settle(runId, 'testing', 400), first);
    assert.equal((await balance()).available, 150);
  });

  it('cannot charge more than is held', async () => {
    await grant(400);
    const { runId } = await hold(400);
    await assert.rejects(settle(runId, 'testing', 401), RangeError);
    await assert.rejects(settle(runId, 'testing', -1), RangeError);
    await assert.rejects(settle('run-unknown', 'testing', 1), /holds no credits/);
  });

  it('gives what belongs to an expired grant seven more days', async () => {
    await grant(100, { source: 'plan', expiresAt: inDays(2) });
    const { runId } = await hold(100);
    await clock.moveTo(inDays(3));
    assert.equal((await balance()).held, 100);
    await settle(runId, 'testing', 30);
    const { plan, nextExpiry } = await balance();
    assert.equal(plan, 70);
    assert.deepEqual(nextExpiry, { credits: 70, at: inDays(10).toISOString() });
    await clock.moveTo(inDays(10));
    assert.equal((await balance()).available, 0);
  });
});

describe('the grace of credits that expired while they were held', () => {
  it('is given once per original grant: a hold in it does not begin another', async () => {
    await grant(100, { source: 'plan', expiresAt: inDays(2) });
    const { runId: first } = await hold(100);
    await clock.moveTo(inDays(3));
    await settle(first, 'testing', 0);
    const { runId: second } = await hold(100);
    await clock.moveTo(inDays(11));
    await settle(second, 'testing', 10);
    assert.deepEqual([(await balance()).available, (await balance()).held], [0, 0]);
    assert.deepEqual((await history()).slice(-3), ['CHARGE -10 testing', 'RETURN 90 testing', 'EXPIRE -90 testing']);
    assert.deepEqual(await credits(second), { state: 'CHARGED', reserved: 100, charged: 10, returned: 90 });
  });

  it('is shared by all runs that held credits of the grant', async () => {
    await grant(100, { source: 'plan', expiresAt: inDays(2) });
    const runs = [await hold(20), await hold(30), await hold(50)];
    for (const [index, days] of [3, 5, 10].entries()) {
      await clock.moveTo(inDays(days));
      await settle(runs[index]?.runId ?? '', 'testing', 0);
      const { nextExpiry } = await balance();
      const expected = days < 10 ? { credits: days === 3 ? 20 : 50, at: inDays(10).toISOString() } : null;
      assert.deepEqual(nextExpiry, expected);
    }
  });

  it('is not given for a run that never started', async () => {
    await grant(100, { source: 'plan', expiresAt: inDays(2) });
    const { runId } = await hold(60, { review: 40 });
    await clock.moveTo(inDays(3));
    await giveBack(runId, false);
    assert.equal((await balance()).available, 0);
    const ends = ['RETURN 60 testing', 'EXPIRE -60 testing', 'RETURN 40 review', 'EXPIRE -40 review'];
    assert.deepEqual((await history()).slice(-4), ends);
    assert.deepEqual(await credits(runId), { state: 'RETURNED', reserved: 100, charged: 0, returned: 100 });
  });
});

describe('the return of everything', () => {
  it('puts all credits back and closes the run', async () => {
    await grant(2_000);
    const { runId } = await hold(1_500, { review: 500 });
    await giveBack(runId);
    assert.deepEqual(await credits(runId), { state: 'RETURNED', reserved: 2_000, charged: 0, returned: 2_000 });
    assert.equal((await balance()).available, 2_000);
    assert.deepEqual((await history()).slice(3), ['RETURN 1500 testing', 'RETURN 500 review']);
  });

  it('happens once', async () => {
    await grant(400);
    const { runId } = await hold(400);
    assert.deepEqual(await giveBack(runId), await giveBack(runId));
    assert.equal((await balance()).available, 400);
  });

  it('does nothing to a run that is settled in part', async () => {
    await grant(2_000);
    const { runId } = await hold(1_500, { review: 500 });
    await settle(runId, 'testing', 100);
    const answer = await giveBack(runId);
    assert.deepEqual([answer.state, answer.review.charged], ['RESERVED', null]);
    assert.equal((await balance()).held, 500);
  });

  it('is not followed by a charge', async () => {
    await grant(400);
    const { runId } = await hold(400);
    await giveBack(runId);
    assert.equal((await settle(runId, 'testing', 100)).state, 'RETURNED');
    assert.equal((await balance()).available, 400);
  });
});

describe('the expiry of credits', () => {
  it('is booked by the job for accounts that do nothing', async () => {
    await grant(100, { expiresAt: inDays(1) });
    await grant(50, { expiresAt: inDays(2), source: 'plan' });
    await clock.moveTo(inDays(1));
    await expireDueGrants(test.database);
    await expireDueGrants(test.database);
    assert.deepEqual(await history(), ['GRANT 100', 'GRANT 50', 'EXPIRE -100']);
  });

  it('leaves held credits alone', async () => {
    await grant(100, { expiresAt: inDays(1) });
    await hold(40);
    await clock.moveTo(inDays(1));
    await expireDueGrants(test.database);
    const { available, held } = await balance();
    assert.deepEqual({ available, held }, { available: 0, held: 40 });
  });
});

describe('the balance', () => {
  it('of a new account is empty', async () => {
    assert.deepEqual(await balance(account.apiKeyIds[0]), {
      available: 0,
      held: 0,
      plan: 0,
      purchased: 0,
      nextExpiry: null,
      keyBudget: null,
      memberAllowance: null,
    });
  });

  it('adds up all credits that expire next', async () => {
    await grant(10, { expiresAt: inDays(5), source: 'plan' });
    await grant(20, { expiresAt: inDays(5) });
    await grant(40, { expiresAt: inDays(6) });
    assert.deepEqual((await balance()).nextExpiry, { credits: 30, at: inDays(5).toISOString() });
  });

  it('can be read inside a transaction', async () => {
    await grant(10);
    const inside = await command((tx) => readAccountBalance(tx, account.accountId));
    assert.deepEqual(inside, await balance());
  });
});

describe('the usage history', () => {
  it('shows the newest first, page by page', async () => {
    for (const amount of [1, 2, 3, 4, 5]) await grant(amount);
    const first = await usage({ limit: 2 });
    assert.deepEqual([first.usage.map((record) => record.credits), first.nextOffset], [[5, 4], 2]);
    const last = await usage({ limit: 2, offset: 3 });
    assert.deepEqual([last.usage.map((record) => record.credits), last.nextOffset], [[2, 1], null]);
  });

  it('has no bound: after 10,000 records the next page is still named', async () => {
    const { accountId } = account;
    await test.database.pool.query(
      `insert into credit_operation (id, operation_key, account_id, type, credits, description, available_after, held_after)
       select $1 || n, n, $1, 'GRANT', 1, 'One.', n, 0 from generate_series(1, 10002) as n`,
      [accountId],
    );
    assert.equal((await usage({ limit: 1, offset: 9_999 })).nextOffset, 10_000);
    assert.equal((await usage({ limit: 1, offset: 10_000 })).nextOffset, 10_001);
    account = await createCreditAccount(test.database);
  });

  it('can be limited to a key, a run, a member and a time', async () => {
    const [firstKey = '', secondKey = ''] = account.apiKeyIds;
    const [firstUser, secondUser = ''] = account.userIds;
    await grant(1_000);
    await hold(10, { apiKeyId: firstKey });
    await clock.moveTo(inDays(1));
    const { runId } = await hold(20, { apiKeyId: secondKey, userId: secondUser });
    await clock.moveTo(inDays(2));
    await settle(runId, 'testing', 20);
    const shown = async (question: Parameters<typeof usage>[0]) => (await usage(question)).usage.map((r) => r.credits);
    assert.deepEqual(await shown({ apiKeyId: firstKey }), [-10]);
    assert.deepEqual(await shown({ apiKeyId: 'unknown' }), []);
    assert.deepEqual(await shown({ pentestId: runId }), [-20, -20]);
    assert.deepEqual(await shown({ onlyUserId: firstUser }), [-10]);
    assert.deepEqual(await shown({ from: inDays(1), to: inDays(2) }), [-20]);
    assert.deepEqual(await shown({ from: inDays(2) }), [-20]);
    assert.deepEqual(await shown({ to: inDays(1) }), [-10, 1_000]);
  });

  it('says what happened in words', async () => {
    await grant(100, { expiresAt: inDays(2) });
    const { runId } = await hold(60, { apiKeyId: account.apiKeyIds[0] ?? null });
    await clock.moveTo(inDays(2));
    await settle(runId, 'testing', 50);
    const { usage: records } = await usage();
    assert.deepEqual(
      records.map((record) => record.description),
      [
        'Unused testing credits returned. Credits that expired meanwhile stay usable for up to seven more days.',
        'Charged for testing.',
        'Purchased credits expired.',
        'Held for testing: Light pentest of shop.example',
        'Bought.',
      ],
    );
    assert.deepEqual(records[1], {
      id: records[1]?.id,
      type: 'CHARGE',
      credits: -50,
      part: 'testing',
      pentestId: runId,
      apiKeyId: account.apiKeyIds[0],
      description: 'Charged for testing.',
      createdAt: inDays(2).toISOString(),
      balanceAfter: { available: 0, held: 10 },
    });
  });
});
