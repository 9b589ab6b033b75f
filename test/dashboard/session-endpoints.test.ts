import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Role, rolePermissions, roles } from '@sortie/contract';
import { assertPassedTheGates } from '@sortie/testing/http/assert-answer.ts';
import { call } from '@sortie/testing/http/call.ts';
import { endpointNames, validRequest } from '@sortie/testing/http/endpoint-request.ts';
import { assertRefusedInDashboard, createVisitor, type Visitor } from '@sortie/testing/http/visitor.ts';
import { createTarget, grantCredits } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let accountId: string;
const people = {} as Record<Role | 'STRANGER', Visitor>;

async function signUp(name: string): Promise<{ visitor: Visitor; userId: string }> {
  const visitor = createVisitor(world.server.baseUrl);
  const { body, text } = await visitor.signUp(`${name.toLowerCase()}@example.com`);
  return { visitor, userId: (body?.user as { id?: string })?.id ?? assert.fail(text) };
}

before(async () => {
  world = await createWorld();
  accountId = (await world.admin.account.create({ name: 'Acme', kind: 'organization', plan: 'team' })).id;
  for (const role of roles) {
    const { visitor, userId } = await signUp(role);
    await world.admin.member.add({ account: accountId, user: userId, role });
    people[role] = visitor;
  }
  people.STRANGER = (await signUp('stranger')).visitor;
});
after(() => world.end());

for (const name of endpointNames.filter((each) => each !== 'getKey')) {
  const { endpoint } = validRequest(name);
  const pathIn = (account: string) => validRequest(name).path.replace('/v1', `/api/accounts/${account}`);
  const send = (visitor: Visitor, account = accountId) => visitor.call(pathIn(account), validRequest(name).options);

  describe(`${endpoint.method} ${endpoint.path}, in the dashboard`, () => {
    for (const role of roles) {
      const isAllowed = endpoint.permission === null || rolePermissions[role].includes(endpoint.permission);
      it(`${isAllowed ? 'lets' : 'does not let'} the role ${role} through`, async () => {
        const answer = await send(people[role]);
        if (!isAllowed) assertRefusedInDashboard(answer, 'FORBIDDEN');
        else assert.ok(answer.body?.code !== 'UNAUTHORIZED' && !/needs the permission/.test(answer.text), answer.text);
      });
    }

    it('answers 401 to a visitor and to an API key', async () => {
      const { apiKey } = await world.createMember({ accountId });
      const { options } = validRequest(name);
      for (const key of [undefined, apiKey]) {
        const answer = await call(world.server.baseUrl + pathIn(accountId), { ...options, ...(key && { key }) });
        assertRefusedInDashboard(answer, 'UNAUTHORIZED');
      }
    });

    it('answers a stranger as if the account did not exist', async () => {
      const foreign = await send(people.STRANGER);
      assertRefusedInDashboard(foreign, 'NOT_FOUND');
      const unknown = await send(people.STRANGER, 'acc_unknown');
      assert.equal(unknown.text, foreign.text);
    });

    if (endpoint.method === 'POST') {
      it('refuses a request that another site makes with the cookie', async () => {
        const { options } = validRequest(name);
        for (const origin of ['http://evil.example', 'null', `${world.server.baseUrl}.evil.example`]) {
          const headers = { ...options.headers, origin };
          assertRefusedInDashboard(await people.OWNER.call(pathIn(accountId), { ...options, headers }), 'FORBIDDEN');
        }
      });
    }

    it('is not served to a session at its public path', async () => {
      const { path, options } = validRequest(name);
      assertRefusedInDashboard(await people.OWNER.call(path, options), 'UNAUTHORIZED');
    });
  });
}

describe('the requests of one person', () => {
  it('are limited to 120 writes a minute, in all accounts together', async () => {
    const { visitor } = await signUp('busy');
    const write = (account: string) =>
      visitor.call(`/api/accounts/${account}/pentests/pen_unknown/cancel`, {
        method: 'POST',
        headers: { 'content-length': 0 },
      });
    for (let count = 0; count < 120; count++) assertRefusedInDashboard(await write(`acc_${count}`), 'NOT_FOUND');
    const refused = await write(accountId);
    assertRefusedInDashboard(refused, 'RATE_LIMITED');
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    const read = await visitor.call(`/api/accounts/${accountId}/credits/balance`);
    assertRefusedInDashboard(read, 'NOT_FOUND');
  });
});

describe('a pentest started in the dashboard', () => {
  it('is the run that the API shows, without a key, also while API runs are off', async () => {
    const owner = await world.createMember({ accountId });
    await grantCredits(world.admin, { accountId }, 1_000);
    const target = await createTarget(world.admin, owner);
    await world.admin.target.apiRuns({ id: target.verificationId, state: 'off' });
    const started = await people.OWNER.call(`/api/accounts/${accountId}/pentests`, {
      method: 'POST',
      headers: { 'idempotency-key': 'in-the-dashboard' },
      body: target,
    });
    assert.equal(started.status, 201, started.text);
    assert.match(String(started.headers.location), new RegExp(`^/api/accounts/${accountId}/pentests/pen_`));
    const { body, status } = await call(`${world.server.baseUrl}/v1/pentests/${started.body?.id}`, {
      key: owner.apiKey,
    });
    assert.deepEqual([status, body?.apiKeyId], [200, null]);
    assertPassedTheGates(await call(`${world.server.baseUrl}/v1/credits/balance`, { key: owner.apiKey }));
  });
});
