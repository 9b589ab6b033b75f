import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ManagedKey } from '@sortie/contract';
import { createPeople, type People, type Person } from '@sortie/testing/dashboard/people.ts';
import { call } from '@sortie/testing/http/call.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { createTarget, grantCredits } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
before(async () => {
  world = await createWorld();
  people = await createPeople(world);
});
after(() => world.end());

const post = (person: Person, path: string, body?: unknown) =>
  person.call(`/api/accounts/${people.accountId}${path}`, {
    method: 'POST',
    ...(body === undefined ? { headers: { 'content-length': 0 } } : { body }),
  });
const listed = async (person: Person) => {
  const { body } = await person.call(`/api/accounts/${people.accountId}/keys`);
  return body?.keys as ManagedKey[];
};
async function create(person: Person, options: object = {}) {
  const answer = await post(person, '/keys', {
    name: 'CI',
    permissions: ['credits:read', 'pentests:read'],
    ...options,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body as unknown as { key: string; record: ManagedKey };
}
const balance = (key: string) => call(`${world.server.baseUrl}/v1/credits/balance`, { key });

describe('an API key created in the dashboard', () => {
  it('works, is listed without its secret, and is stored as a hash only', async () => {
    const { key, record } = await create(people.MEMBER, { name: '<img src=x onerror=alert(1)>' });
    assert.equal((await balance(key)).status, 200);
    assert.deepEqual(
      [record.state, record.isOwn, record.lastFour, record.name],
      ['ACTIVE', true, key.slice(-4), '<img src=x onerror=alert(1)>'],
    );
    assert.ok(!JSON.stringify(await listed(people.OWNER)).includes(key));
    const { rows } = await world.testDatabase.database.pool.query(
      'select row_to_json(api_key)::text as row from api_key',
    );
    const secret = key.split('_')[3] ?? assert.fail(key);
    assert.ok(rows.length > 0 && rows.every(({ row }) => !row.includes(secret)));
  });

  it('can do no more than the role of its creator', async () => {
    const answer = await post(people.VIEWER, '/keys', { name: 'CI', permissions: ['pentests:write'] });
    assertRefusedInDashboard(answer, 'VALIDATION_ERROR');
    assert.equal(answer.body?.field, 'permissions');
  });

  it('needs a name, known permissions, a budget and an expiry that make sense', async () => {
    const valid = { name: 'CI', permissions: ['scans:read'] };
    for (const [field, wrong] of Object.entries({
      name: ['', 'a\nb', 'a'.repeat(201), 7],
      permissions: [[], 'all'],
      'permissions[0]': [['all']],
      budget: [-1, 1.5, '5', 1e10],
      expiresAt: ['2020-01-01T00:00:00Z', 'soon', '2999-01-01'],
      surprise: [1],
    })) {
      for (const value of wrong) {
        const answer = await post(people.OWNER, '/keys', { ...valid, [field.replace(/\[.*/, '')]: value });
        assertRefusedInDashboard(answer, 'VALIDATION_ERROR');
        assert.equal(answer.body?.field, field, answer.text);
      }
    }
  });

  it('is seen by its creator, owners and admins only, and revoked by them only, at once', async () => {
    const { key, record } = await create(people.ADMIN);
    assert.ok((await listed(people.OWNER)).some(({ id }) => id === record.id));
    assert.ok(!(await listed(people.MEMBER)).some(({ id }) => id === record.id));
    assertRefusedInDashboard(await post(people.MEMBER, `/keys/${record.id}/revoke`), 'NOT_FOUND');
    const revoked = await post(people.OWNER, `/keys/${record.id}/revoke`);
    assert.equal(revoked.body?.state, 'REVOKED', revoked.text);
    assert.equal((await balance(key)).status, 401);
  });

  it('of another account is not there', async () => {
    const { apiKeyId } = await world.createMember();
    assertRefusedInDashboard(await post(people.OWNER, `/keys/${apiKeyId}/revoke`), 'NOT_FOUND');
  });
});

describe('a rolled API key', () => {
  const soon = () => new Date(Date.now() + 3_600_000).toISOString();

  it('is replaced by one with the same permissions, and ends at the given time', async () => {
    const old = await create(people.MEMBER);
    const answer = await post(people.MEMBER, `/keys/${old.record.id}/roll`, { oldExpiresAt: soon() });
    assert.equal(answer.status, 201, answer.text);
    const rolled = answer.body as unknown as typeof old;
    assert.deepEqual(rolled.record.permissions, old.record.permissions);
    assert.deepEqual(await Promise.all([old, rolled].map(async ({ key }) => (await balance(key)).status)), [200, 200]);
    await world.admin.clock.advance({ duration: '2h' });
    assert.deepEqual(await Promise.all([old, rolled].map(async ({ key }) => (await balance(key)).status)), [401, 200]);
    assertRefusedInDashboard(
      await post(people.MEMBER, `/keys/${old.record.id}/roll`, { oldExpiresAt: '2999-01-01T00:00:00Z' }),
      'VALIDATION_ERROR',
    );
  });

  it('shares the budget with the one that replaces it', async () => {
    await grantCredits(world.admin, { accountId: people.accountId }, 5_000);
    const target = await createTarget(world.admin, { accountId: people.accountId });
    await world.admin.target.apiRuns({ id: target.verificationId, state: 'on' });
    const permissions = ['credits:read', 'pentests:write'];
    const old = await create(people.OWNER, { permissions, budget: 500 });
    const start = (key: string) =>
      call(`${world.server.baseUrl}/v1/pentests`, {
        method: 'POST',
        key,
        headers: { 'idempotency-key': key.slice(-6) },
        body: target,
      });
    assert.equal((await start(old.key)).status, 201);
    const { body } = await post(people.OWNER, `/keys/${old.record.id}/roll`, { oldExpiresAt: '2999-01-01T00:00:00Z' });
    const rolled = body as unknown as typeof old;
    assertRefusedInDashboard(await start(rolled.key), 'API_KEY_CAP_EXCEEDED');
    assert.deepEqual([rolled.record.usedThisMonth, rolled.record.budget?.remaining], [400, 100]);
    assert.equal((await balance(rolled.key)).text.includes('"used":400'), true);
  });

  it('is rolled by its creator only', async () => {
    const { record } = await create(people.MEMBER);
    assertRefusedInDashboard(
      await post(people.OWNER, `/keys/${record.id}/roll`, { oldExpiresAt: '2999-01-01T00:00:00Z' }),
      'FORBIDDEN',
    );
  });
});
