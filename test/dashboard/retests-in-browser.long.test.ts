import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createPeople } from '@sortie/testing/dashboard/people.ts';
import { createRetestedRun, type RetestedSite, startRetestedSite } from '@sortie/testing/dashboard/retested-run.ts';
import { allowing, withWorker } from '@sortie/testing/real-runs/real-run.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let site: RetestedSite;
let ada: Person;

before(async () => {
  site = await startRetestedSite();
  world = await createWorld({ env: allowing(site.port), flags: withWorker });
  const people = await createPeople(world);
  const { runId, findingIds } = await createRetestedRun(world, people, site.origin);
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('ada@example.com');
  const [user] = (await world.admin.user.list({})).users.filter(({ email }) => email === 'ada@example.com');
  await world.admin.member.add({ account: people.accountId, user: user?.id ?? assert.fail(), role: 'ADMIN' });
  await ada.open(`/accounts/${people.accountId}/runs/${runId}/findings/${findingIds[0]}`);
});
after(async () => {
  assert.deepEqual(ada.faults, []);
  await ada.end();
  await closeBrowser();
  await world.end();
  site.close();
});

describe('the page of a finding', () => {
  it('has it tested again, shows that it is still there, and later that it is gone', async () => {
    const { page } = ada;
    const retest = page.getByRole('dialog').getByRole('button', { name: 'Retest', exact: true });
    await page.getByRole('button', { name: 'Retest', exact: true }).click();
    await page.getByRole('checkbox', { name: 'CSP missing' }).nth(1).check();
    await ada.assertAccessible();
    await retest.click();
    await page.getByText('Still there', { exact: true }).first().waitFor({ timeout: 60_000 });
    await page.getByText('The proof succeeded again.').first().waitFor();
    await page.getByRole('table', { name: 'Before and after' }).waitFor();
    await ada.assertAccessible();
    site.isRepaired = true;
    await page.getByRole('button', { name: 'Retest again' }).click();
    await retest.click();
    await page.getByText('Gone', { exact: true }).first().waitFor({ timeout: 60_000 });
    await page.getByText(/^Retest by Ada: Gone$/).waitFor();
    await page.getByText(/^Retest by Ada: Still there$/).waitFor();
  });
});
