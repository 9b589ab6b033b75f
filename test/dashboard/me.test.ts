import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rolePermissions } from '@sortie/contract';
import { call } from '@sortie/testing/http/call.ts';
import { assertRefusedInDashboard, createVisitor } from '@sortie/testing/http/visitor.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
before(async () => {
  world = await createWorld();
});
after(() => world.end());

const service = { environment: 'test', signUp: 'open', sendsMail: false, singleSignOn: null, demoTarget: null };

describe('GET /api/me', () => {
  it('names the person, the accounts with what the role permits, and the service', async () => {
    const visitor = createVisitor(world.server.baseUrl);
    const signedUp = await visitor.signUp('me@example.com');
    const userId = (signedUp.body?.user as { id?: string })?.id ?? assert.fail(signedUp.text);
    const { id: organization } = await world.admin.account.create({ name: 'Acme', kind: 'organization', plan: 'team' });
    await world.admin.member.add({ account: organization, user: userId, role: 'VIEWER' });
    await world.admin.account.suspend({ id: organization });
    await world.createMember();
    const { status, body, headers, text } = await visitor.call('/api/me');
    assert.equal(status, 200, text);
    assert.equal(headers['ratelimit-limit'], undefined);
    const accounts = body?.accounts as { id: string }[];
    assert.deepEqual(body?.user, { id: userId, name: 'Ada', email: 'me@example.com', staff: null });
    assert.deepEqual(body?.service, service);
    assert.deepEqual(body?.allows, { createOrganization: true });
    const permissions = rolePermissions.OWNER;
    assert.deepEqual(accounts, [
      {
        id: accounts[0]?.id,
        name: 'Ada',
        kind: 'personal',
        plan: 'free',
        role: 'OWNER',
        permissions,
        suspended: false,
      },
      {
        id: organization,
        name: 'Acme',
        kind: 'organization',
        plan: 'team',
        role: 'VIEWER',
        permissions: rolePermissions.VIEWER,
        suspended: true,
      },
    ]);
  });

  it('answers 401 with the Error object without a session', async () => {
    const answer = await call(`${world.server.baseUrl}/api/me`);
    assertRefusedInDashboard(answer, 'UNAUTHORIZED');
    assert.deepEqual(answer.body, { code: 'UNAUTHORIZED', message: 'Sign in first.', statusCode: 401 });
  });
});

describe('GET /api/service', () => {
  it('answers anyone', async () => {
    const { status, body } = await call(`${world.server.baseUrl}/api/service`);
    assert.deepEqual([status, body], [200, service]);
  });
});
