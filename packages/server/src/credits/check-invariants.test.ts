import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { freezeClock } from '@sortie/testing/database/frozen-clock.ts';
import { createCreditAccount } from '@sortie/testing/world/credit-account.ts';
import { sql } from 'kysely';
import { inTransaction } from '../db/database.ts';
import { checkInvariants, grantCredits, holdCredits, settlePart } from './credits.ts';

let test: TestDatabase;

/** Creates an account with an expired grant, a child of it, a settled part and an open one. */
before(async () => {
  test = await createTestDatabase();
  const { database } = test;
  const start = new Date('2030-01-20T12:00:00.000Z');
  const clock = await freezeClock(database, start);
  const { accountId, userIds } = await createCreditAccount(database);
  const request = { accountId, source: 'plan', amount: 60, operationKey: 'first', description: 'Given.' } as const;
  const run = { runId: 'run', accountId, apiKeyId: null, userId: userIds[0] ?? '', description: 'Deep pentest' };
  await inTransaction(database, async (tx) => {
    await grantCredits(tx, { ...request, expiresAt: new Date(start.getTime() + 1_000) });
    await grantCredits(tx, { ...request, operationKey: 'second', expiresAt: null });
    await holdCredits(tx, { ...run, testing: 50, review: 30 });
  });
  await clock.moveTo(new Date(start.getTime() + 5_000));
  await inTransaction(database, (tx) => settlePart(tx, 'run', 'testing', 20));
});
after(() => test.drop());

/** Changes rows with the ledger's triggers disabled, collects the violations, and rolls back. */
async function violationsAfter(statement: string): Promise<string[]> {
  const undo = new Error('undo');
  let violations: string[] = [];
  const tampering = inTransaction(test.database, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql.raw(statement).execute(tx);
    violations = await checkInvariants(tx);
    throw undo;
  });
  await assert.rejects(tampering, undo);
  return violations;
}

const tampering: { name: string; statement: string; expected: RegExp }[] = [
  {
    name: 'a grant that grew',
    statement: 'update credit_grant set available = available + 1, amount = amount + 1',
    expected: /^3: the journal of grant/,
  },
  {
    name: 'credits that moved without an entry',
    statement: 'update credit_grant set available = available - 1, spent = spent + 1 where available > 0',
    expected: /^3: the journal of grant/,
  },
  {
    name: 'an entry that is gone',
    statement: "delete from credit_entry where to_place = 'spent'",
    expected: /^3: the journal of grant/,
  },
  {
    name: 'an operation with other credits than its entries',
    statement: 'update credit_operation set credits = credits * 2',
    expected: /^4: the entries of operation/,
  },
  {
    name: 'an operation with a wrong balance',
    statement: 'update credit_operation set held_after = held_after + 1',
    expected: /^4: operation/,
  },
  {
    name: 'a charge that no slice paid',
    statement: "update credit_hold set review_charged = 7, state = 'CHARGED'",
    expected: /^5: the slices of run/,
  },
  {
    name: 'a slice that grew',
    statement: 'update credit_slice set amount = amount + 1',
    expected: /^5: grant \d+ does not hold/,
  },
  {
    name: 'a return that the journal does not know',
    statement: "update credit_hold set review_charged = 0, state = 'CHARGED'",
    expected: /^6: the journal of run/,
  },
  {
    name: 'credits that were held after their expiry',
    statement: "update credit_grant set expires_at = '2029-12-01' where expires_at is null",
    expected: /^7: operation \d+ \(HOLD\)/,
  },
  {
    name: 'credits that expired too early',
    statement: 'update credit_grant set expires_at = null where expired > 0 or moved > 0',
    expected: /^7: operation/,
  },
  {
    name: 'a child with another source than its parent',
    statement: "update credit_grant set source = 'purchased' where parent_id is not null",
    expected: /^8: grant \d+ is no proper child/,
  },
  {
    name: 'a second grace',
    statement: "update credit_grant set expires_at = expires_at + interval '1 day' where parent_id is not null",
    expected: /^8: grant \d+ is no proper child/,
  },
  {
    name: 'a child of a child',
    statement: 'update credit_grant set parent_id = id where parent_id is not null',
    expected: /^8: grant \d+ is no proper child/,
  },
  {
    name: 'a return after the expiry that did not expire',
    statement: 'update credit_grant set expires_at = created_at where parent_id is not null',
    expected: /^7: operation \d+ \(RETURN\)/,
  },
  {
    name: 'a child that was cut off its parent',
    statement: 'update credit_grant set parent_id = null',
    expected: /^8: grant \d+ moved other credits/,
  },
  {
    name: 'a run in another month',
    statement: "update credit_hold set cycle = '2029-12-01'",
    expected: /^9: run/,
  },
];

describe('the check of the invariants', () => {
  it('has nothing to say about a sound ledger', async () => {
    assert.deepEqual(await checkInvariants(test.database.queries), []);
  });

  it('can be asked about one account', async () => {
    assert.deepEqual(await checkInvariants(test.database.queries, 'acc_nobody'), []);
  });

  for (const { name, statement, expected } of tampering) {
    it(`finds ${name}`, async () => {
      const violations = await violationsAfter(statement);
      assert.ok(
        violations.some((violation) => expected.test(violation)),
        violations.join('\n'),
      );
    });
  }
});
