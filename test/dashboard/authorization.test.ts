import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { roles } from '@sortie/contract';
import { createPeople, type People, type Person, signUp } from '@sortie/testing/dashboard/people.ts';
import { dashboardNames, dashboardRequest } from '@sortie/testing/dashboard/requests.ts';
import { call } from '@sortie/testing/http/call.ts';
import { endpointNames, validRequest } from '@sortie/testing/http/endpoint-request.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { createTarget } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
let suspended: string;
let verificationId: string;
let foreignVerificationId: string;

before(async () => {
  world = await createWorld();
  people = await createPeople(world);
  suspended = (await world.admin.account.create({ name: 'Closed', kind: 'organization', plan: 'team' })).id;
  await world.admin.member.add({ account: suspended, user: people.OWNER.userId, role: 'OWNER' });
  await world.admin.account.suspend({ id: suspended });
  ({ verificationId } = await createTarget(world.admin, people));
  ({ verificationId: foreignVerificationId } = await createTarget(world.admin, await world.createMember()));
});
after(() => world.end());

const isRefusalOfRole = /needs one of the roles|needs the permission/;

for (const name of dashboardNames) {
  const { endpoint } = dashboardRequest(name);
  const send = (person: Person, accountId = people.accountId) => {
    const { path, options } = dashboardRequest(name, { accountId });
    return person.call(path, options);
  };

  describe(`${endpoint.method} ${endpoint.path}`, () => {
    if (endpoint.caller === 'member') {
      for (const role of roles) {
        const isAllowed = endpoint.roles.includes(role);
        it(`${isAllowed ? 'lets' : 'does not let'} the role ${role} through`, async () => {
          const answer = await send(people[role]);
          if (!isAllowed) assertRefusedInDashboard(answer, 'FORBIDDEN');
          else assert.ok(![400, 401, 500].includes(answer.status) && !isRefusalOfRole.test(answer.text), answer.text);
        });
      }

      it('answers a stranger as if the account did not exist', async () => {
        const foreign = await send(people.STRANGER);
        assertRefusedInDashboard(foreign, 'NOT_FOUND');
        assert.equal((await send(people.STRANGER, 'acc_unknown')).text, foreign.text);
      });

      it('is refused while the account is suspended', async () => {
        assertRefusedInDashboard(await send(people.OWNER, suspended), 'ACCOUNT_SUSPENDED');
      });
    }

    if (endpoint.caller !== 'anyone') {
      it('answers 401 to a visitor and to an API key', async () => {
        const { path, options } = dashboardRequest(name, { accountId: people.accountId });
        const { apiKey } = await world.createMember({ accountId: people.accountId });
        for (const key of [undefined, apiKey]) {
          const answer = await call(world.server.baseUrl + path, { ...options, ...(key && { key }) });
          assertRefusedInDashboard(answer, 'UNAUTHORIZED');
        }
      });
    }

    if (endpoint.path.includes('{verificationId}')) {
      it('does not let a member reach a target that is not assigned', async () => {
        const { path, options } = dashboardRequest(name, { accountId: people.accountId, verificationId });
        assertRefusedInDashboard(await people.MEMBER.call(path, options), 'FORBIDDEN');
      });

      it('does not find a target of another account', async () => {
        const ids = { accountId: people.accountId, verificationId: foreignVerificationId };
        const { path, options } = dashboardRequest(name, ids);
        assertRefusedInDashboard(await people.OWNER.call(path, options), 'NOT_FOUND');
      });
    }

    if (endpoint.fresh) {
      it('needs a recent sign-in', async () => {
        const owner = await signUp(world, `old-${name}`);
        await world.admin.member.add({ account: people.accountId, user: owner.userId, role: 'OWNER' });
        await world.testDatabase.database.pool.query(
          `update identity.session set "createdAt" = "createdAt" - interval '16 minutes' where "userId" = $1`,
          [owner.userId],
        );
        const answer = await send(owner);
        assertRefusedInDashboard(answer, 'FORBIDDEN');
        assert.equal(answer.body?.field, 'session');
      });
    }

    if (endpoint.method === 'POST') {
      it('refuses a request that another site makes with the cookie', async () => {
        const { path, options } = dashboardRequest(name, { accountId: people.accountId });
        for (const origin of ['http://evil.example', 'null', `${world.server.baseUrl}.evil.example`]) {
          const headers = { ...options.headers, origin };
          assertRefusedInDashboard(await people.OWNER.call(path, { ...options, headers }), 'FORBIDDEN');
        }
      });
    }
  });
}

describe('a suspended account', () => {
  for (const name of endpointNames.filter((each) => each !== 'getKey')) {
    it(`is refused at ${name}`, async () => {
      const { path, options } = validRequest(name);
      const answer = await people.OWNER.call(path.replace('/v1', `/api/accounts/${suspended}`), options);
      assertRefusedInDashboard(answer, 'ACCOUNT_SUSPENDED');
    });
  }
});
