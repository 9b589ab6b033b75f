import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { call } from '@sortie/testing/http/call.ts';
import { PASSWORD } from '@sortie/testing/http/visitor.ts';
import { grantCredits, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const RUN_MS = 600_000;

let world: World;
let ada: Person;
before(async () => {
  world = await createWorld({ flags: ['--role', 'all'] });
  ada = await visitDashboard(world.server.baseUrl);
});
after(async () => {
  await closeBrowser();
  await world.end();
});

const button = ({ page }: Person, name: string | RegExp) => page.getByRole('button', { name });
const idIn = (url: string, pattern: RegExp) => pattern.exec(url)?.[1] ?? assert.fail(url);
const accountOf = ({ page }: Person) => idIn(page.url(), /\/accounts\/([^/?]+)/);
const demoUrl = () => world.server.demo?.target?.url ?? assert.fail('there is no demo target');

/** Adds the demo target to the account of the page, publishes its proof there and waits for the check. */
async function verifyDemoTarget(person: Person): Promise<string> {
  const { page } = person;
  await person.open('/to/targets');
  await button(person, 'Add target').click();
  const dialog = page.getByRole('dialog', { name: 'Add a target' });
  await dialog.getByLabel('Host or URL').fill(demoUrl());
  await dialog.getByRole('button', { name: 'Add target' }).click();
  await page.getByText('Not verified yet.').waitFor();
  await button(person, 'Publish on the demo target and check').click();
  await page.getByText(/^Verified until /).waitFor();
  return idIn(page.url(), /\/targets\/([^/?]+)/);
}

async function cancelRun(person: Person): Promise<void> {
  await button(person, 'Cancel the run').click();
  await person.page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
  await person.page.getByText('Stopped', { exact: true }).waitFor();
}

describe('a new person', () => {
  let verificationId: string;
  let key: string;
  let run: string;

  it('signs up and comes to an account of their own, with first steps', async () => {
    await ada.signUp('journey@example.com');
    await ada.page.getByRole('heading', { name: 'First steps: 0 of 6' }).waitFor();
    await world.admin.account.setPlan({ id: accountOf(ada), plan: 'business' });
    await grantCredits(world.admin, { accountId: accountOf(ada) }, 20_000);
  });

  it('scans the demo target', async () => {
    await ada.page.getByRole('link', { name: 'Scan a site' }).click();
    await button(ada, 'Use the demo target').click();
    await button(ada, 'Start scan (free)').click();
    await ada.page.getByRole('img', { name: /^Score \d+ of 100, grade [A-F]/ }).waitFor({ timeout: 120_000 });
    await ada.page.locator('details summary').first().waitFor();
  });

  it('verifies the demo target, and says how fast it may be tested', async () => {
    verificationId = await verifyDemoTarget(ada);
    await ada.page.getByLabel('Requests per second').fill('50');
    await button(ada, 'Save the rules').click();
    await ada.page.getByText('The rules are saved.').waitFor();
  });

  it('starts a pentest and follows it to its findings', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'New run on this target' }).click();
    await button(ada, /^Start Light \(holds [\d,]+ credits\)$/).click();
    await page.waitForURL(/\/runs\/pen_/);
    run = page.url();
    await page.getByText('Report released').waitFor({ timeout: RUN_MS });
    await page.getByText(/^[1-9]\d* findings$/).waitFor();
    await page.getByRole('heading', { name: 'Coverage', exact: true }).waitFor();
  });

  it('reads a finding with its proof', async () => {
    const { page } = ada;
    await page.locator('tbody a[href*="/findings/"]').first().click();
    await page.waitForURL(/\/findings\//);
    await page.getByRole('heading', { name: 'Evidence' }).waitFor();
    await page.getByRole('article', { name: /^Exchange 1: / }).waitFor();
    await page.getByRole('heading', { name: 'Remediation' }).waitFor();
    await ada.assertAccessible();
  });

  it('creates a key, and sees that it was used', async () => {
    const { page } = ada;
    await ada.open('/to/settings/keys');
    await button(ada, 'Create key').click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Name').fill('pipeline');
    await dialog.getByLabel('pentests:write').check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    key = (await dialog.locator('[data-secret]').textContent()) ?? assert.fail('the key is not shown');
    await dialog.getByLabel('I stored it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const used = page.getByRole('row', { name: /pipeline/ }).locator('[data-title="Last used"]');
    await used.filter({ hasText: 'Never' }).waitFor();
    const { status, text } = await call(`${world.server.baseUrl}/v1/credits/balance`, { key });
    assert.equal(status, 200, text);
    await page.reload();
    await used.filter({ hasNotText: 'Never' }).waitFor();
  });

  it('switches API runs on, and sees a run appear that the key starts', async () => {
    const { page } = ada;
    const body = { targetUrl: demoUrl(), verificationId, depth: 'LEAD' };
    const startByKey = () => start(world.server.baseUrl, '/v1/pentests', { apiKey: key }, body);
    const refused = await startByKey();
    assert.equal(refused.body?.code, 'TARGET_API_RUNS_DISABLED', refused.text);
    assert.match(String(refused.body?.message), /Settings, API keys/);
    const isOn = (checked: boolean) =>
      page.getByRole('switch', { name: `API runs of ${new URL(demoUrl()).origin}`, checked });
    await isOn(false).click();
    await isOn(true).waitFor();
    await ada.open('/to/runs');
    await page.getByText('1 run', { exact: true }).waitFor();
    const started = await startByKey();
    assert.equal(started.status, 201, started.text);
    await page.getByText('2 runs', { exact: true }).waitFor();
    const row = page
      .getByRole('row')
      .filter({ hasNotText: 'Report released' })
      .filter({ hasText: new URL(demoUrl()).host });
    await row.getByRole('link').first().click();
    await page.waitForURL(new RegExp(String(started.body?.id)));
    assert.ok(!run.includes(String(started.body?.id)));
    await page.getByText(/^API key /).waitFor();
    await cancelRun(ada);
  });

  it('has done all first steps, without a fault of the page', async () => {
    await ada.open('/');
    await ada.page.getByRole('heading', { name: 'Home' }).waitFor();
    await ada.page.getByRole('link', { name: /Open, high/ }).waitFor();
    assert.equal(await ada.page.getByRole('heading', { name: /^First steps/ }).count(), 0);
    assert.deepEqual(ada.faults, []);
  });
});

describe('an organization', () => {
  let kim: Person;
  let target: string;

  it('is created, and a member is invited and signs up', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('menuitem', { name: 'Create an organization…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Acme');
    await page.getByRole('dialog').getByRole('button', { name: 'Create organization' }).click();
    await button(ada, 'Invite a person').click();
    await world.admin.account.setPlan({ id: accountOf(ada), plan: 'business' });
    await grantCredits(world.admin, { accountId: accountOf(ada) }, 20_000);
    const dialog = page.getByRole('dialog', { name: 'Invite a person' });
    await dialog.getByLabel('E-mail').fill('kim@example.com');
    await dialog.getByLabel('Role').selectOption('MEMBER');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = new URL((await dialog.locator('[data-secret]').textContent()) ?? '');
    kim = await visitDashboard(world.server.baseUrl);
    await kim.open(link.pathname + link.hash);
    await kim.page.getByLabel('Name').fill('Kim');
    await kim.page.getByLabel('Password').first().fill(PASSWORD);
    await button(kim, 'Sign up and join').click();
    await kim.page.getByRole('heading', { name: 'Home' }).waitFor();
    assert.equal(accountOf(kim), accountOf(ada));
  });

  it('has a target that the member cannot use until it is assigned', async () => {
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    target = await verifyDemoTarget(ada);
    await kim.open('/to/runs/new');
    await kim.page.getByText('No verified target').waitFor();
    await kim.open(`/to/targets/${target}`);
    await kim.page.getByText('This target is not assigned to you in the organization.').waitFor();
    await ada.page.getByRole('switch', { name: 'Kim (kim@example.com)' }).click();
    await ada.page.getByRole('switch', { name: 'Kim (kim@example.com)', checked: true }).waitFor();
    await kim.open('/to/runs/new');
    await button(kim, /^Start Light/).waitFor();
  });

  const setAllowance = async (credits: string) => {
    await ada.open('/to/settings/members');
    const row = ada.page.getByRole('row', { name: /kim@example\.com/ });
    await row.getByRole('button', { name: /^Change/ }).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Change Kim' });
    await dialog.getByLabel('Allowance').fill(credits);
    await dialog.getByRole('button', { name: 'Set allowance' }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  it('refuses a run beyond the allowance of the member, and starts it within', async () => {
    await setAllowance('10');
    await button(kim, /^Start Light/).click();
    await kim.page.getByText('would exceed your monthly allowance').waitFor();
    await kim.page.getByText('ORG_CREDIT_CAP_EXCEEDED').waitFor();
    await kim.assertAccessible();
    await setAllowance('5000');
    await button(kim, /^Start Light/).click();
    await kim.page.waitForURL(/\/runs\/pen_/);
    await ada.open('/to/runs');
    await ada.page.getByText('1 run', { exact: true }).waitFor();
    await cancelRun(kim);
    await ada.open('/to/settings/members');
    await ada.page.getByText(/of 5,000 used$/).waitFor();
  });

  it('takes the target from the member, who sees its runs no more', async () => {
    await ada.open(`/to/targets/${target}`);
    await ada.page.getByRole('switch', { name: 'Kim (kim@example.com)' }).click();
    await ada.page.getByRole('switch', { name: 'Kim (kim@example.com)', checked: false }).waitFor();
    await kim.open('/to/runs');
    await kim.page.getByText('No runs yet').waitFor();
    assert.deepEqual([...ada.faults, ...kim.faults], []);
    await kim.end();
  });
});
