import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createTarget, grantCredits } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let ada: Person;
let account: string;

before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('ada@example.com');
  account = new URL(ada.page.url()).pathname;
  const accountId = account.split('/')[2] ?? assert.fail(account);
  await world.admin.account.setPlan({ id: accountId, plan: 'business' });
  await grantCredits(world.admin, { accountId }, 100_000);
  await createTarget(world.admin, { accountId }, 'https://sandbox.example/');
});
after(async () => {
  assert.deepEqual(ada.faults, []);
  await ada.end();
  await closeBrowser();
  await world.end();
});

async function startRun(story: string, level: 'Light' | 'Standard' = 'Light'): Promise<string> {
  await ada.open(`${account}/runs/new`);
  await ada.page.getByLabel('URL to test').fill(`https://${story}.sandbox.example/`);
  await ada.page.getByRole('radio', { name: level }).click();
  await ada.page.getByRole('button', { name: `Start ${level}` }).click();
  await ada.page.waitForURL(/\/runs\/pen_/);
  return ada.page.url();
}

describe('a pentest in the browser', () => {
  it('is started with its price in the button, and refused where the verification does not reach', async () => {
    await ada.open(`${account}/runs/new`);
    await ada.page.getByRole('button', { name: /^Start Light \(holds [\d,]+ credits\)$/ }).waitFor();
    await ada.page.getByLabel('URL to test').fill('https://elsewhere.example/');
    await ada.page.getByText('does not cover this URL').waitFor();
    assert.ok(await ada.page.getByRole('button', { name: 'Start Light' }).isDisabled());
    await ada.assertAccessible();
  });

  it('takes test accounts by kind, whose login is tried before anything is paid', async () => {
    const { page } = ada;
    const accountId = account.split('/')[2] ?? '';
    const other = await createTarget(world.admin, { accountId }, 'https://other.example.test/');
    await ada.open(`${account}/runs/new?target=${other.verificationId}`);
    assert.equal(await page.getByLabel('URL to test').inputValue(), 'https://other.example.test/');
    await page.getByRole('button', { name: 'Add a test account' }).click();
    const tryLogin = page.getByRole('button', { name: 'Try the login' });
    assert.ok(await tryLogin.isDisabled(), 'there is no password yet');
    await page.getByLabel('Username').fill('alice');
    await page.getByRole('textbox', { name: 'Password' }).fill('a password');
    await tryLogin.click();
    await page.getByText('Did not work').waitFor();
    await page.getByText('This node of the service could not try the login.').waitFor();
    await ada.assertAccessible();
    await page.getByLabel('Username').fill('bob');
    await page.getByText('Did not work').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 390, height: 800 });
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(overflow, 0);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('shows its findings, worst first, and the proof of each', async () => {
    await startRun('released-findings');
    await ada.page.getByText('15 findings').waitFor();
    await ada.page.getByText('Report released').waitFor();
    await ada.assertAccessible();
    await ada.page.goto(`${ada.page.url()}?severity=CRITICAL`);
    await ada.page.getByText('3 of 15 findings').waitFor();
    await ada.page.locator('tbody a').first().click();
    await ada.page.waitForURL(/\/findings\//);
    await ada.page.locator('mark').first().waitFor();
    await ada.page.getByRole('button', { name: 'Copy as cURL' }).waitFor();
    await ada.assertAccessible();
    const first = ada.page.url();
    await ada.page.keyboard.press('j');
    await ada.page.waitForURL((url) => url.href !== first);
    await ada.page.getByText('2 of 15', { exact: true }).waitFor();
  });

  it('shows nothing of its findings while the report is in review', async () => {
    const answers: string[] = [];
    ada.page.on('response', (response) => {
      if (/\/findings/.test(response.url())) answers.push(response.url());
    });
    const id = (await startRun('review-pending', 'Standard')).split('/').at(-1) ?? '';
    await ada.page.getByText('Testing finished, report in review').waitFor();
    await ada.page.getByText('Hidden until a reviewer signs the report off.').waitFor();
    assert.ok(/^pen_/.test(id));
    assert.deepEqual(
      answers.filter((address) => address.includes(id)),
      [],
    );
    await ada.open(`${account}/runs`);
    await ada.page.getByText('Not released').first().waitFor();
    await ada.assertAccessible();
  });

  it('that is paused says what a cancel returns, and where to go on', async () => {
    await startRun('paused');
    const notice = ada.page.getByRole('alert', { name: 'Paused: the run has used its credits' });
    await notice.getByText(/ is charged, and the rest of the [1-9]\d* held credits is returned\. /).waitFor();
    await ada.assertAccessible();
    await notice.getByRole('link', { name: 'start a new run' }).click();
    await ada.page.getByRole('heading', { name: 'New run', level: 1 }).waitFor();
  });

  it('with a status that is not known shows it, and never as passed', async () => {
    await startRun('unknown-status-stays');
    await ada.page.getByText('In progress (CALIBRATION)').waitFor();
    assert.equal(await ada.page.getByText('Report released', { exact: true }).count(), 0);
  });
});

describe('a scan in the browser', () => {
  it('is started by a URL and shows its score and what failed', async () => {
    await ada.open(`${account}/scans`);
    await ada.page.getByLabel('URL to scan').fill('https://scan-findings.sandbox.example/');
    await ada.page.getByRole('button', { name: 'Start scan (free)' }).click();
    await ada.page.getByRole('img', { name: 'Score 9 of 100, grade F' }).waitFor();
    await ada.page.getByText('5 findings').waitFor();
    await ada.assertAccessible();
  });

  it('without a result is no pass', async () => {
    await ada.open(`${account}/scans`);
    await ada.page.getByLabel('URL to scan').fill('https://scan-failed.sandbox.example/');
    await ada.page.getByRole('button', { name: 'Start scan (free)' }).click();
    await ada.page.getByText('This is not a pass.').waitFor();
  });
});
