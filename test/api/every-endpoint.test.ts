import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type EndpointName, type Permission, permissions, type Role, rolePermissions, roles } from '@sortie/contract';
import { assertPassedTheGates, assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { call } from '@sortie/testing/http/call.ts';
import { endpointNames, validRequest } from '@sortie/testing/http/endpoint-request.ts';
import { ofOtherEnvironment } from '@sortie/testing/world/key-text.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

/** Fewer than by default, and enough for one request to each endpoint. `test/api/limits` has the default limits. */
const READS = 20;

let world: World;
let owner: Member;
let expired: Member;
let revoked: Member;
let former: Member;
let suspended: Member;
let ofRole: Record<Role, Member>;

before(async () => {
  world = await createWorld({ env: { SORTIE_LIMIT_READS_PER_KEY: String(READS) } });
  owner = await world.createMember();
  const { accountId } = owner;
  expired = await world.createMember({ accountId, expires: '30m' });
  revoked = await world.createMember({ accountId });
  former = await world.createMember({ accountId, role: 'ADMIN' });
  suspended = await world.createMember();
  for (const { apiKey } of [expired, revoked, former, suspended]) {
    assertPassedTheGates(await call(`${world.server.baseUrl}/v1/levels`, { key: apiKey }));
  }
  await world.admin.clock.advance({ duration: '30m' });
  await world.admin.key.revoke({ id: revoked.apiKeyId });
  await world.admin.member.remove({ account: accountId, user: former.userId });
  await world.admin.account.suspend({ id: suspended.accountId });
  const members = roles.map(async (role) => [role, await world.createMember({ accountId, role })] as const);
  ofRole = Object.fromEntries(await Promise.all(members)) as Record<Role, Member>;
});
after(() => world.end());

const without = (permission: Permission) => permissions.filter((one) => one !== permission).join(',');
const otherDigit = (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');

function sendTo(name: EndpointName, key: string | undefined, changes: Parameters<typeof call>[1] = {}) {
  const { path, options } = validRequest(name);
  return call(world.server.baseUrl + path, {
    ...options,
    ...(key === undefined ? {} : { key }),
    ...changes,
    headers: { ...options.headers, ...changes.headers },
  });
}

for (const name of endpointNames) {
  const { endpoint } = validRequest(name);
  const send = (key: string | undefined, changes: Parameters<typeof call>[1] = {}) => sendTo(name, key, changes);

  describe(`${endpoint.method} ${endpoint.path}`, () => {
    let ownKey: string;

    before(async () => {
      ownKey = (await world.createKey(owner)).apiKey;
    });

    it('lets an owner with all permissions through the gates', async () => {
      assertPassedTheGates(await send(ownKey));
    });

    it('lets nobody store its answers, whether they grant or refuse', async () => {
      for (const key of [ownKey, undefined]) assert.equal((await send(key)).headers['cache-control'], 'no-store');
    });

    it('answers 401 without a key', async () => assertRefused(await send(undefined), 'UNAUTHORIZED'));

    it('answers 401 to a junk key', async () => {
      for (const junk of ['x', 'srt_test_', otherDigit(ownKey), `${ownKey}0`, ownKey.slice(0, -1)]) {
        assertRefused(await send(junk), 'UNAUTHORIZED');
      }
    });

    it('answers 401 to a key of the other environment', async () => {
      assertRefused(await send(ofOtherEnvironment(ownKey)), 'UNAUTHORIZED');
    });

    it('answers 401 to an expired key', async () => assertRefused(await send(expired.apiKey), 'UNAUTHORIZED'));

    it('answers 401 to a revoked key', async () => assertRefused(await send(revoked.apiKey), 'UNAUTHORIZED'));

    it('answers 403 ACCOUNT_SUSPENDED while the account is suspended', async () => {
      assertRefused(await send(suspended.apiKey), 'ACCOUNT_SUSPENDED');
    });

    const { permission } = endpoint;
    if (permission !== null) {
      it(`answers 403 FORBIDDEN to a key without ${permission}`, async () => {
        const { apiKey } = await world.createKey(owner, { permissions: without(permission) });
        assertRefused(await send(apiKey), 'FORBIDDEN');
      });
    }

    for (const role of roles) {
      const allowed = permission === null || rolePermissions[role].includes(permission);
      it(`${allowed ? 'lets' : 'answers 403 FORBIDDEN to'} a key whose creator is ${role}`, async () => {
        const answer = await send(ofRole[role].apiKey);
        if (allowed) assertPassedTheGates(answer);
        else assertRefused(answer, 'FORBIDDEN');
      });
    }

    it('answers 403 FORBIDDEN once the creator is no longer a member', async () => {
      assertRefused(await send(former.apiKey), 'FORBIDDEN');
    });

    it('answers 429 RATE_LIMITED past the limit, with Retry-After', async () => {
      const member = await world.createMember();
      const limit = endpoint.limit === 'read' ? READS : 10;
      for (let sent = 1; sent <= limit; sent++) {
        const answer = await send(member.apiKey);
        assert.equal(answer.headers['ratelimit-remaining'], String(limit - sent));
        assertPassedTheGates(answer);
      }
      const answer = await send(member.apiKey);
      assertRefused(answer, 'RATE_LIMITED');
      assert.equal(answer.headers['retry-after'], answer.headers['ratelimit-reset']);
    });

    if (typeof endpoint.body !== 'string') {
      it('answers 400 to an unknown body field and names it', async () => {
        const body = { ...(validRequest(name).options.body as object), surprise: 1 };
        const answer = await send(ownKey, { body });
        assertRefused(answer, 'VALIDATION_ERROR', 'surprise');
      });
    }

    if (endpoint.path.includes('{id}')) {
      it("answers 404 to an id that is not in the caller's account", async () => {
        assertRefused(await send(ownKey), 'NOT_FOUND');
      });
    }
  });
}

it('a resumed account can use each endpoint again', async () => {
  await world.admin.account.resume({ id: suspended.accountId });
  const { apiKey } = await world.createKey(suspended);
  for (const name of endpointNames) assertPassedTheGates(await sendTo(name, apiKey));
});
