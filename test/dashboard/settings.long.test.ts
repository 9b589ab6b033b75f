import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createPeople, type People } from '@sortie/testing/dashboard/people.ts';
import { call } from '@sortie/testing/http/call.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
let ada: Person;
before(async () => {
  world = await createWorld();
  people = await createPeople(world);
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('settings@example.com');
  const user = await ada.page.evaluate("fetch('/api/me').then((answer) => answer.json()).then(({ user }) => user.id)");
  await world.admin.member.add({ account: people.accountId, user: String(user), role: 'OWNER' });
});
after(async () => {
  await closeBrowser();
  await world.end();
});

const sql = (text: string, ...values: unknown[]) => world.testDatabase.database.pool.query(text, values);
const readKey = (key: string) => call(`${world.server.baseUrl}/v1/key`, { key });

/** Makes what the dialog shows the last time it is seen: stored, closed, and gone from the page. */
async function storeSecret(name: string): Promise<string> {
  const { page } = ada;
  const dialog = page.getByRole('dialog', { name });
  const secret = (await dialog.locator('[data-secret]').textContent()) ?? '';
  assert.match(secret, /^srt_test_\w{12}_\w{38}$/);
  assert.ok(!(await dialog.locator('pre.message-text').textContent())?.includes(secret));
  await dialog.getByText('export SORTIE_API_KEY=srt_test_…').waitFor();
  await page.keyboard.press('Escape');
  assert.ok(await dialog.getByRole('button', { name: 'Done' }).isDisabled());
  await ada.assertAccessible();
  await dialog.getByLabel('I stored it').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const kept = await page.evaluate(
    'document.documentElement.outerHTML + JSON.stringify([{...localStorage}, {...sessionStorage}, location.href, history.state])',
  );
  assert.ok(!String(kept).includes(secret.slice(-20)), 'the page still has the secret');
  return secret;
}

describe('API keys in the browser', () => {
  let first: string;

  it('are reached by keys and created; their text is shown once', async () => {
    const { page } = ada;
    await page.goto(`${world.server.baseUrl}/accounts/${people.accountId}`);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Name').fill('deploy pipeline');
    await dialog.getByLabel('pentests:write').check();
    await dialog.getByLabel('Budget').fill('250');
    await ada.assertAccessible();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    first = await storeSecret('Create an API key');
    const { body } = await readKey(first);
    assert.deepEqual(
      [body?.name, body?.permissions, (body?.budget as { limit?: number })?.limit],
      ['deploy pipeline', ['credits:read', 'scans:read', 'pentests:read', 'pentests:write'], 250],
    );
  });

  it('are listed with their use', async () => {
    const { page } = ada;
    await page.reload();
    const row = page.getByRole('row', { name: /deploy pipeline/ });
    for (const text of [`…${first.slice(-4)}`, 'Active', 'pentests:write', '0 of 250 used', 'Ada']) {
      await row.getByText(text, { exact: true }).waitFor();
    }
    await row.locator('[data-title="Last used"]').filter({ hasNotText: 'Never' }).waitFor();
    await ada.assertAccessible();
  });

  it('need a fresh session, and the way back from the sign-in', async () => {
    const { page } = ada;
    await sql(`update identity.session set "createdAt" = now() - interval '20 minutes'`);
    await page.getByRole('button', { name: /^Roll deploy pipeline/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Roll the key deploy pipeline' });
    await dialog.getByRole('button', { name: 'Roll key' }).click();
    await dialog.getByText('This needs a sign-in of the last 15 minutes').waitFor();
    await ada.assertAccessible();
    await dialog.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByLabel('E-mail').fill('settings@example.com');
    await page.getByLabel('Password').first().fill('a password of the tests');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  });

  it('are rolled with an overlap, and revoked', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: /^Roll deploy pipeline/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Roll the key deploy pipeline' });
    await dialog.getByRole('button', { name: 'Roll key' }).click();
    const second = await storeSecret('Roll the key deploy pipeline');
    assert.deepEqual([(await readKey(first)).status, (await readKey(second)).status], [200, 200]);
    await page.getByRole('button', { name: `Revoke deploy pipeline, ${first.slice(-4)}` }).click();
    const asked = page.getByRole('dialog', { name: 'Revoke the key deploy pipeline?' });
    await asked.getByText(`ends in ${first.slice(-4)}`).waitFor();
    await ada.assertAccessible();
    await asked.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    assert.deepEqual([(await readKey(first)).status, (await readKey(second)).status], [401, 200]);
  });
});

describe('members in the browser', () => {
  it('get another role and an allowance, and are removed', async () => {
    const { page } = ada;
    await page.getByRole('tab', { name: 'Members' }).click();
    const row = page.getByRole('row', { name: /member-1@example\.com/ });
    await row.getByText('Member', { exact: true }).waitFor();
    await ada.assertAccessible();
    const dialog = page.getByRole('dialog', { name: /^Change / });
    await row.getByRole('button', { name: /^Change/ }).click();
    await dialog.getByLabel('Role').selectOption('VIEWER');
    await ada.assertAccessible();
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await row.getByText('Viewer', { exact: true }).waitFor();
    await row.getByRole('button', { name: /^Change/ }).click();
    await dialog.getByLabel('Allowance').fill('40');
    await dialog.getByRole('button', { name: 'Set allowance' }).click();
    await row.getByText('0 of 40 used').waitFor();
    const text = 'select role, allowance from member where account_id = $1 and user_id = $2';
    const stored = await sql(text, people.accountId, people.MEMBER.userId);
    assert.deepEqual(stored.rows, [{ role: 'VIEWER', allowance: 40 }]);
    await row.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
    await row.waitFor({ state: 'detached' });
  });
});

describe('the audit log in the browser', () => {
  it('tells who did what, filtered by kind', async () => {
    const { page } = ada;
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: /Ada.*member\.role-set.*from: MEMBER, to: VIEWER/ }).waitFor();
    await ada.assertAccessible();
    await page.getByRole('combobox', { name: 'What' }).click();
    await page.getByRole('option', { name: 'API keys' }).click();
    await page.getByText('member.role-set').waitFor({ state: 'detached' });
    for (const action of ['key.created', 'key.rolled', 'key.revoked']) await page.getByText(action).first().waitFor();
  });

  it('leaves the account, and met no fault', async () => {
    const { page } = ada;
    await page.getByRole('tab', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Leave the account' }).click();
    await page.getByRole('dialog', { name: 'Leave Acme?' }).getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    assert.ok(!page.url().includes(people.accountId));
    assert.deepEqual(ada.faults, []);
  });
});
