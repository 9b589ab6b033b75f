import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Permission, permissions, rolePermissions, roles } from '@sortie/contract';
import { assertPassedTheGates, assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { call } from '@sortie/testing/http/call.ts';
import { endpointNames, validRequest } from '@sortie/testing/http/endpoint-request.ts';
import { ofOtherEnvironment } from '@sortie/testing/world/key-text.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;

before(async () => {
  world = await createWorld();
});
after(() => world.end());

const without = (permission: Permission) => permissions.filter((one) => one !== permission).join(',');
const otherDigit = (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');

for (const name of endpointNames) {
  const { endpoint, path } = validRequest(name);
  const send = (key: string | undefined, changes: Parameters<typeof call>[1] = {}) => {
    const { options } = validRequest(name);
    return call(world.server.baseUrl + path, {
      ...options,
      ...(key === undefined ? {} : { key }),
      ...changes,
      headers: { ...options.headers, ...changes.headers },
    });
  };

  describe(`${endpoint.method} ${endpoint.path}`, () => {
    let owner: Member;

    before(async () => {
      owner = await world.createMember();
    });

    it('lets an owner with all permissions through the gates', async () => {
      assertPassedTheGates(await send(owner.apiKey));
    });

    it('lets nobody store its answers, whether they grant or refuse', async () => {
      for (const key of [owner.apiKey, undefined]) assert.equal((await send(key)).headers['cache-control'], 'no-store');
    });

    it('answers 401 without a key', async () => assertRefused(await send(undefined), 'UNAUTHORIZED'));

    it('answers 401 to a junk key', async () => {
      for (const junk of ['x', 'srt_test_', otherDigit(owner.apiKey), `${owner.apiKey}0`, owner.apiKey.slice(0, -1)]) {
        assertRefused(await send(junk), 'UNAUTHORIZED');
      }
    });

    it('answers 401 to a key of the other environment', async () => {
      assertRefused(await send(ofOtherEnvironment(owner.apiKey)), 'UNAUTHORIZED');
    });

    it('answers 401 to an expired key', async () => {
      const member = await world.createMember({ accountId: owner.accountId, expires: '30m' });
      assertPassedTheGates(await send(member.apiKey));
      await world.admin.clock.advance({ duration: '30m' });
      assertRefused(await send(member.apiKey), 'UNAUTHORIZED');
    });

    it('answers 401 to a revoked key', async () => {
      const member = await world.createMember({ accountId: owner.accountId });
      assertPassedTheGates(await send(member.apiKey));
      await world.admin.key.revoke({ id: member.apiKeyId });
      assertRefused(await send(member.apiKey), 'UNAUTHORIZED');
    });

    it('answers 403 ACCOUNT_SUSPENDED while the account is suspended', async () => {
      const member = await world.createMember();
      await world.admin.account.suspend({ id: member.accountId });
      assertRefused(await send(member.apiKey), 'ACCOUNT_SUSPENDED');
      await world.admin.account.resume({ id: member.accountId });
      assertPassedTheGates(await send(member.apiKey));
    });

    const { permission } = endpoint;
    if (permission !== null) {
      it(`answers 403 FORBIDDEN to a key without ${permission}`, async () => {
        const member = await world.createMember({ accountId: owner.accountId, permissions: without(permission) });
        assertRefused(await send(member.apiKey), 'FORBIDDEN');
      });
    }

    for (const role of roles) {
      const allowed = permission === null || rolePermissions[role].includes(permission);
      it(`${allowed ? 'lets' : 'answers 403 FORBIDDEN to'} a key whose creator is ${role}`, async () => {
        const member = await world.createMember({ accountId: owner.accountId, role });
        const answer = await send(member.apiKey);
        if (allowed) assertPassedTheGates(answer);
        else assertRefused(answer, 'FORBIDDEN');
      });
    }

    it('answers 403 FORBIDDEN once the creator is no longer a member', async () => {
      const member = await world.createMember({ accountId: owner.accountId, role: 'ADMIN' });
      await world.admin.member.remove({ account: member.accountId, user: member.userId });
      assertRefused(await send(member.apiKey), 'FORBIDDEN');
    });

    it('answers 429 RATE_LIMITED past the limit, with Retry-After', async () => {
      const member = await world.createMember();
      const limit = endpoint.limit === 'read' ? 120 : 10;
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
        const answer = await send(owner.apiKey, { body });
        assertRefused(answer, 'VALIDATION_ERROR', 'surprise');
      });
    }

    if (endpoint.path.includes('{id}')) {
      it("answers 404 to an id that is not in the caller's account", async () => {
        assertRefused(await send(owner.apiKey), 'NOT_FOUND');
      });
    }
  });
}
