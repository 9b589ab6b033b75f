import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { permissions } from '@sortie/contract';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { addMember, createAccount, createUser, removeMember } from '../accounts/accounts.ts';
import { listAudit } from '../audit/audit.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { advanceClock } from '../clock/clock.ts';
import { inTransaction, serviceNow, type Transaction } from '../db/database.ts';
import { hashSecret, parseKeyText } from './key-format.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';

const actor = 'operator';

describe('API keys', () => {
  let test: TestDatabase;
  let accountId: string;
  let userId: string;
  const change = <T>(work: (tx: Transaction) => Promise<T>) => inTransaction(test.database, work);
  const create = (given: Partial<Parameters<typeof createKey>[1]> = {}) =>
    change((tx) =>
      createKey(tx, { accountId, userId, permissions, budget: null, expiresAt: null, name: 'CI', actor, ...given }),
    );

  before(async () => {
    test = await createTestDatabase();
    await change(async (tx) => {
      const account = { name: 'Acme', kind: 'organization', plan: 'free', actor } as const;
      accountId = (await createAccount(tx, account, defaultCatalogue)).id;
      userId = (await createUser(tx, { email: 'ada@example.com', name: 'Ada', actor })).id;
      await addMember(tx, { accountId, userId, role: 'OWNER', allowance: null, actor });
    });
  });
  after(() => test.drop());

  it('are made for the environment of the database, and answer the whole key once', async () => {
    const created = await create();
    const parsed = parseKeyText(created.key.reveal());
    assert.equal(parsed?.environment, 'test');
    assert.equal(parsed?.id, created.id);
    assert.equal(created.lastFour, created.key.reveal().slice(-4));
    const printed = inspect([created, await listKeys(test.database.queries, accountId)], { depth: 10 });
    assert.ok(!printed.includes(parsed.secret));
  });

  it('are stored as the hash of their secret only', async () => {
    const { id, key } = await create();
    const secret = parseKeyText(key.reveal())?.secret ?? '';
    const { rows } = await test.database.pool.query(
      'select to_jsonb(api_key) as stored, secret_hash from api_key where id = $1',
      [id],
    );
    assert.deepEqual(rows[0].secret_hash, hashSecret(secret));
    assert.ok(!JSON.stringify(rows[0].stored).includes(secret));
  });

  it('keep permissions (each once), budget, expiry, name and creator', async () => {
    const expiresAt = new Date('2100-01-01T00:00:00Z');
    const { key: _key, ...created } = await create({
      permissions: ['scans:read', 'credits:read', 'scans:read'],
      budget: 0,
      expiresAt,
      name: 'nightly',
    });
    assert.deepEqual(created.permissions, ['scans:read', 'credits:read']);
    assert.deepEqual([created.budget, created.expiresAt, created.name], [0, expiresAt, 'nightly']);
    assert.deepEqual([created.createdBy, created.revokedAt, created.lastUsedAt], [userId, null, null]);
    const listed = await listKeys(test.database.queries, accountId);
    assert.deepEqual(listed[0], created);
  });

  it('can only be created for a member of the account', async () => {
    const other = await change((tx) => createUser(tx, { email: 'eve@example.com', name: 'Eve', actor }));
    await assert.rejects(create({ userId: other.id }), { code: 'NOT_FOUND' });
    await change((tx) => addMember(tx, { accountId, userId: other.id, role: 'VIEWER', allowance: null, actor }));
    await create({ userId: other.id });
    await change((tx) => removeMember(tx, { accountId, userId: other.id, actor }));
    await assert.rejects(create({ userId: other.id }), { code: 'NOT_FOUND' });
    await assert.rejects(create({ accountId: 'acc_none' }), { code: 'NOT_FOUND' });
  });

  it('expire in the future of the service clock, not of the real one', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000);
    await create({ expiresAt: inAnHour });
    await change((tx) => advanceClock(tx, { seconds: 2 * 3_600, actor }));
    await assert.rejects(create({ expiresAt: inAnHour }), { code: 'VALIDATION_ERROR', field: 'expiresAt' });
    const now = await serviceNow(test.database.queries);
    await create({ expiresAt: new Date(now.getTime() + 60_000) });
  });

  it('are revoked for good; revoking again changes nothing', async () => {
    const { id } = await create();
    const first = await change((tx) => revokeKey(tx, { id, actor }));
    assert.ok(first.revokedAt);
    assert.deepEqual(await change((tx) => revokeKey(tx, { id, actor })), first);
    const entries = await listAudit(test.database.queries, { accountId, limit: 100 });
    const ofKey = entries.filter(({ subject }) => subject === id).map(({ action }) => action);
    assert.deepEqual(ofKey, ['key.revoked', 'key.created']);
  });

  it('that do not exist cannot be revoked, and the answer does not repeat what may be a pasted key', async () => {
    const { key } = await create();
    const pasted = change((tx) => revokeKey(tx, { id: key.reveal(), actor }));
    await assert.rejects(pasted, (error: Error) => !error.message.includes(key.reveal()));
    await assert.rejects(pasted, { code: 'NOT_FOUND' });
  });

  it('leave nothing of their secret in the audit log', async () => {
    const { id, key } = await create();
    const entries = await listAudit(test.database.queries, { accountId, limit: 1 });
    assert.equal(entries[0]?.subject, id);
    assert.ok(!JSON.stringify(entries).includes(parseKeyText(key.reveal())?.secret ?? 'no secret'));
  });
});
