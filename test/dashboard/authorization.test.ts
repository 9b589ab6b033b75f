import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { endpoints, roles } from '@sortie/contract';
import { createPeople, type People, type Person, signUp } from '@sortie/testing/dashboard/people.ts';
import { dashboardNames, dashboardRequest, queryOf } from '@sortie/testing/dashboard/requests.ts';
import { call } from '@sortie/testing/http/call.ts';
import { endpointNames, validRequest } from '@sortie/testing/http/endpoint-request.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { createTarget, grantCredits, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
let suspended: string;
let apiKey: string;
let signedInLongAgo: Person;
let verificationId: string;
let foreignVerificationId: string;
let hidden: { runId: string; findingId: string };

before(async () => {
  world = await createWorld();
  people = await createPeople(world);
  suspended = (await world.admin.account.create({ name: 'Closed', kind: 'organization', plan: 'team' })).id;
  await world.admin.member.add({ account: suspended, user: people.OWNER.userId, role: 'OWNER' });
  await world.admin.account.suspend({ id: suspended });
  ({ verificationId } = await createTarget(world.admin, people));
  ({ verificationId: foreignVerificationId } = await createTarget(world.admin, await world.createMember()));
  hidden = await createHidden();
  ({ apiKey } = await world.createMember({ accountId: people.accountId }));
  signedInLongAgo = await signUp(world, 'old');
  await world.admin.member.add({ account: people.accountId, user: signedInLongAgo.userId, role: 'OWNER' });
  await world.testDatabase.database.pool.query(
    `update identity.session set "createdAt" = "createdAt" - interval '16 minutes' where "userId" = $1`,
    [signedInLongAgo.userId],
  );
});
after(() => world.end());

/** A run in review with a finding that everyone in the account could read once the report is released. */
async function createHidden(): Promise<typeof hidden> {
  await grantCredits(world.admin, people, 100_000);
  const target = await createTarget(world.admin, people, 'https://sandbox.example/');
  for (const { userId } of [people.MEMBER, people.VIEWER]) {
    await world.admin.target.assign({ id: target.verificationId, user: userId });
  }
  const member = await world.createMember({ accountId: people.accountId });
  const body = { ...target, targetUrl: 'https://review-pending.sandbox.example/', depth: 'STANDARD' };
  const started = await start(world.server.baseUrl, '/v1/pentests', member, body);
  const runId = String(started.body?.id);
  const findingId = 'fnd_hidden';
  const { queries } = world.testDatabase.database;
  await queries
    .insertInto('pentest_finding')
    .values({
      id: findingId,
      pentest_id: runId,
      ...{ title: 'Hidden title', description: 'Hidden text', remediation: 'Hidden cure', fingerprint: 'hidden-print' },
      ...{ severity: 'CRITICAL', confidence: 'CONFIRMED', cvss_score: '9.9', cwe_id: 4242, cvss_vector: null },
      ...{ affected_url: 'https://hidden.sandbox.example/', method: 'GET', parameter: 'hidden', check_id: 'hidden' },
      ...{ cvss4_vector: null, impact: null, location: null },
    })
    .execute();
  return { runId, findingId };
}

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
        const answer = await send(signedInLongAgo);
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

describe('a report in review', () => {
  const ids = () => ({ accountId: people.accountId, ...hidden, id: hidden.runId });
  const fill = (path: string) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => (ids() as Record<string, string>)[name] ?? 'unknown');
  const paths = {
    ...Object.fromEntries(
      endpointNames
        .filter((name) => name !== 'getKey')
        .map((name) => [name, endpoints[name].path.replace('/v1', '/api/accounts/{accountId}')]),
    ),
    ...Object.fromEntries(dashboardNames.map((name) => [name, dashboardRequest(name).endpoint.path])),
  };
  const endpointOf = (name: string) => (name in endpoints ? undefined : dashboardRequest(name as never).endpoint);
  // The last ones, since they end sessions and memberships.
  const ending = ['endSession', 'endOtherSessions', 'removeMember', 'cancelPentest'];

  for (const [name, path] of Object.entries(paths).filter(([each]) => !ending.includes(each))) {
    it(`is not told of to any role by ${name}`, async () => {
      const options =
        name in endpoints
          ? validRequest(name as keyof typeof endpoints).options
          : dashboardRequest(name as never).options;
      for (const role of roles) {
        const { text, status } = await people[role].call(fill(path) + queryOf(endpointOf(name)), options);
        assert.doesNotMatch(
          text,
          /hidden-print|Hidden|hidden\.sandbox|\b4242\b|fnd_hidden|"9\.9"/,
          `${role}: ${status}`,
        );
        if (path.includes('{findingId}')) assert.ok([403, 404].includes(status), `${role}: ${status} ${text}`);
      }
    });
  }

  it('is told of everywhere once it is released', async () => {
    const { pool } = world.testDatabase.database;
    await pool.query('update pentest set released_at = service_now() where id = $1', [hidden.runId]);
    for (const role of roles) {
      for (const name of ['listAccountFindings', 'getFindingRecord', 'getPentestFinding', 'listPentestFindings']) {
        const { text } = await people[role].call(fill(paths[name] ?? ''));
        assert.match(text, /Hidden title/, `${role}: ${name}`);
      }
    }
  });
});
