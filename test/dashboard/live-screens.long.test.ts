import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createTarget, grantCredits, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let ada: Person;
let accountId: string;
let apiKey: string;
let target: { verificationId: string; targetUrl: string };

before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('live@example.com');
  const user = await ada.page.evaluate("fetch('/api/me').then((answer) => answer.json()).then(({ user }) => user.id)");
  accountId = (await world.admin.account.create({ name: 'Acme', kind: 'organization', plan: 'team' })).id;
  await world.admin.member.add({ account: accountId, user: String(user), role: 'OWNER' });
  await grantCredits(world.admin, { accountId }, 50_000);
  ({ apiKey } = await world.createMember({ accountId }));
  target = await createTarget(world.admin, { accountId }, 'https://sandbox.example/');
});
after(async () => {
  await closeBrowser();
  await world.end();
});

describe('an open page', () => {
  it('shows a run that a pipeline starts, and its end, without a reload', async () => {
    await ada.open(`/accounts/${accountId}/runs`);
    await ada.page.getByText('No runs yet').waitFor();
    const requests: string[] = [];
    ada.page.on('request', (request) => requests.push(request.url()));
    const body = { ...target, targetUrl: 'https://released-findings.sandbox.example/', depth: 'LEAD' };
    const { status, text } = await start(world.server.baseUrl, '/v1/pentests', { apiKey }, body);
    assert.equal(status, 201, text);
    await ada.page.getByText('released-findings').first().waitFor();
    await ada.page.getByText('Live, read at').waitFor();
    await ada.page.getByText('Report released').waitFor();
    assert.ok(
      requests.every((address) => !address.endsWith('/events')),
      'the stream was opened again',
    );
  });

  it('reads by itself while there is no stream', async () => {
    await ada.page.route('**/events', (route) => route.abort());
    await ada.page.reload();
    await ada.page.getByText('Not live, read at').waitFor();
    await ada.page.unroute('**/events');
    await ada.page.getByText('Live, read at', { exact: false }).first().waitFor();
  });

  it('leads to the sign-in when the session ends elsewhere', async () => {
    await ada.page.reload();
    await ada.page.getByText(/^Live, read at/).waitFor();
    await world.testDatabase.database.pool.query('delete from identity.session');
    await ada.page.getByRole('heading', { name: 'Sign in to Sortie' }).waitFor();
    assert.deepEqual(
      ada.faults.filter((fault) => !/ERR_FAILED|net::/.test(fault)),
      [],
    );
  });
});
