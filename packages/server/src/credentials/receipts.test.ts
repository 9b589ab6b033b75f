import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { type FrozenClock, freezeClock } from '@sortie/testing/database/frozen-clock.ts';
import { createCanary, dumpTables, findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import { createCreditAccount } from '@sortie/testing/world/credit-account.ts';
import { type Admin, openAdmin } from '../admin/admin.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { inTransaction } from '../db/database.ts';
import { newId } from '../platform/new-id.ts';
import { fixedVaultKeys } from '../secrets/service-secrets.ts';
import { deleteOldCredentials, openCredentials, sealCredentials } from './credentials.ts';

const vaultKeys = fixedVaultKeys({ id: 'vault-1', key: createSecretKey(randomBytes(32)) });
const start = new Date('2030-01-31T23:30:00Z');
const later = new Date('2030-03-02T23:30:00Z');
const canaries = { user: createCanary(), pass: createCanary(), instructions: createCanary() };

let test: TestDatabase;
let admin: Admin;
let clock: FrozenClock;
let accountId: string;
let runId: string;

before(async () => {
  test = await createTestDatabase();
  clock = await freezeClock(test.database, start);
  admin = openAdmin({ connection: test.connection, catalogue: defaultCatalogue });
});
after(async () => {
  await admin.close();
  await test.drop();
});
beforeEach(async () => {
  await clock.moveTo(start);
  accountId = (await createCreditAccount(test.database)).accountId;
  runId = newId('pen');
  const credentials = [
    { name: 'zoe', ...canaries },
    { name: 'adam', kind: 'BASIC_AUTH' as const, ...canaries },
  ];
  await inTransaction(test.database, (tx) => sealCredentials(tx, vaultKeys, { accountId, runId, credentials }));
});

const receiptsOf = async (account = accountId) => (await admin.vault.receipts({ account })).receipts;
const isOpen = async () => (await openCredentials(test.database.queries, vaultKeys, { accountId, runId })).length > 0;
const expected = (deletedAt: Date, reason: 'AGE' | 'OPERATOR') => ({
  ...{ runId, accountId, sealedAt: start, deletedAt, reason, keyId: 'vault-1' },
  ...{ names: ['zoe', 'adam'], kinds: ['FORM_LOGIN', 'BASIC_AUTH'] },
});

describe('the receipt of a deletion', () => {
  it('is not there while the test accounts are', async () => {
    assert.equal(await deleteOldCredentials(test.database), 0);
    assert.deepEqual(await receiptsOf(), []);
  });

  it('stays when the daily job deletes test accounts of 30 days', async () => {
    await clock.moveTo(later);
    await deleteOldCredentials(test.database);
    assert.deepEqual(await receiptsOf(), [expected(later, 'AGE')]);
    await deleteOldCredentials(test.database);
    assert.equal((await receiptsOf()).length, 1);
  });

  it('stays when an operator deletes them at once, which is audited and cannot be done twice', async () => {
    const receipt = await admin.vault.forget({ run: runId });
    assert.deepEqual(receipt, expected(start, 'OPERATOR'));
    assert.deepEqual(await receiptsOf(), [receipt]);
    assert.equal(await isOpen(), false);
    const again = {
      code: 'NOT_FOUND',
      field: 'run',
      message: /were deleted at 2030-01-31T23:30:00\.000Z \(OPERATOR\)/,
    };
    await assert.rejects(admin.vault.forget({ run: runId }), again);
    await assert.rejects(admin.vault.forget({ run: 'pen_none' }), { code: 'NOT_FOUND', message: /There are no test/ });
    const { entries } = await admin.audit.list({ account: accountId });
    assert.deepEqual(
      entries.map(({ actor, action, subject, details }) => [actor, action, subject, details]),
      [['operator', 'vault.forgotten', runId, { names: ['zoe', 'adam'] }]],
    );
    assert.equal((await receiptsOf()).length, 1);
  });

  it('is not there when the deletion did not happen', async () => {
    await test.database.pool.query('create rule keep as on delete to credential_key do also select 1 / 0');
    await assert.rejects(admin.vault.forget({ run: runId }), /division by zero/);
    await test.database.pool.query('drop rule keep on credential_key');
    assert.deepEqual([await receiptsOf(), await isOpen()], [[], true]);
  });

  it('is listed newest first, up to the limit, of one account if asked', async () => {
    await admin.vault.forget({ run: runId });
    const other = (await createCreditAccount(test.database)).accountId;
    assert.deepEqual(await receiptsOf(other), []);
    const { receipts } = await admin.vault.receipts({ limit: '1' });
    assert.deepEqual(
      receipts.map((receipt) => receipt.runId),
      [runId],
    );
    await assert.rejects(receiptsOf('acc_none'), { code: 'NOT_FOUND' });
  });

  it('cannot be changed, and holds nothing that was secret', async () => {
    await admin.vault.forget({ run: runId });
    for (const change of ['delete from credential_receipt', "update credential_receipt set reason = 'AGE'"]) {
      await assert.rejects(test.database.pool.query(change), /append-only/);
    }
    const dump = await dumpTables(test.database);
    assert.ok(dump.includes('public.credential_receipt\n') && dump.includes('{zoe,adam}'));
    assert.deepEqual(findLeaks(dump, canaries), []);
  });
});
