import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { StartedDeviceLogin } from '@sortie/contract';
import { createPeople, type People, type Person } from '@sortie/testing/dashboard/people.ts';
import { type Answer, call } from '@sortie/testing/http/call.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
before(async () => {
  world = await createWorld();
  people = await createPeople(world);
});
after(() => world.end());
beforeEach(() => world.testDatabase.database.pool.query('delete from rate_counter'));

/** A program sends neither a cookie nor an origin. */
const ask = (path: string, body: object) => call(world.server.baseUrl + path, { method: 'POST', body });
const start = async () => {
  const { status, body, text } = await ask('/api/device-logins', { name: 'sortie on laptop' });
  assert.equal(status, 201, text);
  return body as unknown as StartedDeviceLogin;
};
/** As if the program had waited for as long as it was told. */
async function poll(deviceCode: string): Promise<Answer> {
  await world.testDatabase.database.pool.query('update device_login set polled_at = null');
  return ask('/api/device-logins/poll', { deviceCode });
}
const outcomeOf = async (deviceCode: string) => (await poll(deviceCode)).body?.state;
const post = (person: Person, path: string, body: object) => person.call(path, { method: 'POST', body });
const approve = (person: Person, userCode: string, permissions: string[] = ['scans:read'], more = {}) =>
  post(person, `/api/accounts/${people.accountId}/device-logins/approve`, { userCode, permissions, ...more });
const deny = (person: Person, userCode: string) => post(person, '/api/device-logins/deny', { userCode });
const read = (person: Person, userCode: string) => post(person, '/api/device-logins/read', { userCode });
const whoami = (key: unknown) => call(`${world.server.baseUrl}/v1/key`, { key: String(key) });

describe('a program that asks for a key', () => {
  it('gets one of the account and the permissions that the person grants, once', async () => {
    const { deviceCode, userCode, verificationUrl, expiresInSeconds } = await start();
    assert.match(userCode, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    assert.deepEqual([new URL(verificationUrl).pathname, expiresInSeconds], ['/device', 600]);
    assert.equal(await outcomeOf(deviceCode), 'PENDING');
    const shown = await read(people.MEMBER, userCode.toLowerCase().replace('-', ' '));
    assert.deepEqual([shown.body?.name, shown.body?.address], ['sortie on laptop', '127.0.0.1'], shown.text);
    assert.equal((await approve(people.MEMBER, userCode, ['scans:read', 'scans:write'])).status, 200);
    await world.testDatabase.database.pool.query('update device_login set polled_at = null');
    const polls = await Promise.all(Array.from({ length: 5 }, () => ask('/api/device-logins/poll', { deviceCode })));
    const given = polls.filter(({ body }) => body?.state === 'APPROVED');
    assert.equal(given.length, 1);
    const { key, account } = given[0]?.body ?? {};
    assert.deepEqual(account, { id: people.accountId, name: 'Acme' });
    const { body = {} } = await whoami(key);
    assert.deepEqual(
      [body.name, body.role, body.permissions],
      ['sortie on laptop', 'MEMBER', ['scans:read', 'scans:write']],
    );
    assert.equal(await outcomeOf(deviceCode), 'EXPIRED');
  });

  it('gets none when the person denies, and the code works no more', async () => {
    const { deviceCode, userCode } = await start();
    assert.equal((await deny(people.VIEWER, userCode)).status, 200);
    assert.equal(await outcomeOf(deviceCode), 'DENIED');
    assertRefusedInDashboard(await approve(people.VIEWER, userCode), 'NOT_FOUND');
    assertRefusedInDashboard(await read(people.VIEWER, userCode), 'NOT_FOUND');
  });

  it('gets no more than the person may do, then and when it fetches the key', async () => {
    const first = await start();
    assertRefusedInDashboard(await approve(people.VIEWER, first.userCode, ['scans:write']), 'VALIDATION_ERROR');
    assertRefusedInDashboard(await approve(people.STRANGER, first.userCode), 'NOT_FOUND');
    assert.equal((await approve(people.MEMBER, first.userCode, ['scans:read', 'scans:write'])).status, 200);
    const setRole = (role: string) =>
      post(people.OWNER, `/api/accounts/${people.accountId}/members/${people.MEMBER.userId}/role`, { role });
    await setRole('VIEWER');
    const { body } = await poll(first.deviceCode);
    await setRole('MEMBER');
    assert.deepEqual((await whoami(body?.key)).body?.permissions, ['scans:read']);
  });

  it('gets none for a person who was removed meanwhile', async () => {
    const { deviceCode, userCode } = await start();
    await approve(people.ADMIN, userCode);
    await world.admin.member.remove({ account: people.accountId, user: people.ADMIN.userId });
    assertRefusedInDashboard(await poll(deviceCode), 'NOT_FOUND');
    await world.admin.member.add({ account: people.accountId, user: people.ADMIN.userId, role: 'ADMIN' });
  });

  it('gets none after the password was reset', async () => {
    const { deviceCode, userCode } = await start();
    assert.equal((await approve(people.OWNER, userCode)).status, 200);
    const { link } = await world.admin.user.link({ user: people.OWNER.userId });
    const set = { token: new URL(link).hash.slice(1), newPassword: 'another password of the tests' };
    assert.equal((await post(people.OWNER, '/api/auth/reset-password', set)).status, 200);
    assert.equal(await outcomeOf(deviceCode), 'DENIED');
    const { email } = await world.testDatabase.database.queries
      .selectFrom('identity.user')
      .select('email')
      .where('id', '=', people.OWNER.userId)
      .executeTakeFirstOrThrow();
    assert.equal((await people.OWNER.signIn(email, set.newPassword)).status, 200);
  });

  it('has to wait between two requests, and ten minutes at most', async () => {
    const { deviceCode, userCode } = await start();
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask('/api/device-logins/poll', { deviceCode })));
    assert.deepEqual(answers.map(({ body }) => body?.state).toSorted(), [
      'PENDING',
      'SLOW_DOWN',
      'SLOW_DOWN',
      'SLOW_DOWN',
    ]);
    await world.testDatabase.database.pool.query(`update device_login set expires_at = clock_timestamp()`);
    assert.equal(await outcomeOf(deviceCode), 'EXPIRED');
    assertRefusedInDashboard(await approve(people.OWNER, userCode), 'NOT_FOUND');
    assert.equal(await outcomeOf('unknown'), 'EXPIRED');
  });
});

describe('a person', () => {
  it('needs a sign-in of the last 15 minutes to read and approve', async () => {
    const { userCode } = await start();
    await world.testDatabase.database.pool.query(
      `update identity.session set "createdAt" = now() - interval '901 seconds' where "userId" = $1`,
      [people.MEMBER.userId],
    );
    for (const answer of [await read(people.MEMBER, userCode), await approve(people.MEMBER, userCode)]) {
      assertRefusedInDashboard(answer, 'FORBIDDEN');
      assert.equal(answer.body?.field, 'session');
    }
  });

  it('tries ten codes at most, then has to wait, also with the right one', async () => {
    const { userCode } = await start();
    for (let tries = 0; tries < 5; tries++) {
      assertRefusedInDashboard(await read(people.OWNER, 'XXXX-XXXX'), 'NOT_FOUND');
      assertRefusedInDashboard(await approve(people.OWNER, 'XXXX-XXXX'), 'NOT_FOUND');
    }
    assertRefusedInDashboard(await read(people.OWNER, userCode), 'RATE_LIMITED');
    assertRefusedInDashboard(await approve(people.OWNER, userCode), 'RATE_LIMITED');
    assertRefusedInDashboard(await deny(people.OWNER, userCode), 'RATE_LIMITED');
  });
});

describe('the codes', () => {
  it('are stored as hashes, and are in no log', async () => {
    const { deviceCode, userCode } = await start();
    await approve(people.OWNER, userCode);
    const key = String((await poll(deviceCode)).body?.key);
    const { rows } = await world.testDatabase.database.pool.query(
      `select row_to_json(d)::text as row from device_login d union all select row_to_json(a)::text from audit_entry a
       union all select row_to_json(k)::text from api_key k`,
    );
    const stored = rows.map(({ row }) => row).join('\n') + world.server.log();
    for (const secret of [deviceCode, userCode, userCode.replace('-', ''), key, key.slice(22, 54)]) {
      assert.ok(!stored.includes(secret));
    }
    assert.match(stored, /device-login\.approved/);
  });

  it('are decided in the audit log without the address of the program, since the log cannot be deleted from', async () => {
    await approve(people.OWNER, (await start()).userCode);
    await deny(people.OWNER, (await start()).userCode);
    const { rows } = await world.testDatabase.database.pool.query(
      `select action, details::text from audit_entry where action like 'device-login.%' order by id desc limit 2`,
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['device-login.denied', 'device-login.approved'],
    );
    assert.doesNotMatch(JSON.stringify(rows), /127\.0\.0\.1/);
  });
});

describe('a key in the body', () => {
  it('is revoked for the program that holds it, also again, and unknown ones are refused', async () => {
    const { apiKey } = await world.createMember();
    const revoke = (key: string) => ask('/api/keys/revoke', { key });
    assert.equal((await whoami(apiKey)).status, 200);
    const wrong = apiKey.slice(0, -8) + (apiKey.endsWith('A') ? 'BBBBBBBB' : 'AAAAAAAA');
    assertRefusedInDashboard(await revoke(wrong), 'UNAUTHORIZED');
    assert.equal((await whoami(apiKey)).status, 200);
    assert.deepEqual((await revoke(apiKey)).body, { revoked: true });
    assert.equal((await revoke(apiKey)).status, 200);
    assert.equal((await whoami(apiKey)).status, 401);
  });

  it('is not taken from a page of another site', async () => {
    const { apiKey } = await world.createMember();
    const foreign = await call(`${world.server.baseUrl}/api/keys/revoke`, {
      method: 'POST',
      headers: { origin: 'http://evil.example' },
      body: { key: apiKey },
    });
    assertRefusedInDashboard(foreign, 'FORBIDDEN');
  });
});
