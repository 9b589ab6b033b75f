import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ManagedTarget } from '@sortie/contract';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let ada: Person;
let accountId: string;
before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('targets@example.com');
  accountId = (await world.admin.account.create({ name: 'Acme', kind: 'organization', plan: 'team' })).id;
  const { user } = await (await ada.page.request.get(`${world.server.baseUrl}/api/me`)).json();
  await world.admin.member.add({ account: accountId, user: user.id, role: 'OWNER' });
  const { id } = await world.admin.user.create({ email: 'kim@example.com', name: 'Kim' });
  await world.admin.member.add({ account: accountId, user: id, role: 'MEMBER' });
});
after(async () => {
  await closeBrowser();
  await world.end();
});

async function readTarget(): Promise<ManagedTarget> {
  const verificationId = ada.page.url().split('/').at(-1);
  const answer = await ada.page.request.get(
    `${world.server.baseUrl}/api/accounts/${accountId}/targets/${verificationId}/overview`,
  );
  return answer.json();
}

describe('the targets in the browser', () => {
  it('are added, with the value to publish, and checked', async () => {
    const { page } = ada;
    await ada.open(`/accounts/${accountId}/targets`);
    await page.getByText('No targets yet').waitFor();
    await page.getByRole('button', { name: 'Add target' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a target' });
    await adding.getByLabel('Host or URL').fill('ftp://shop.example.org');
    await adding.getByRole('button', { name: 'Add target' }).click();
    await adding.getByText('VALIDATION_ERROR').waitFor();
    await adding.getByLabel('Host or URL').fill('shop.example.org');
    await ada.assertAccessible();
    await adding.getByRole('button', { name: 'Add target' }).click();
    await page.getByRole('heading', { name: 'https://shop.example.org' }).waitFor();
    await page.getByText('https://shop.example.org/.well-known/sortie-verification.txt').waitFor();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('The check waits for a worker.').waitFor();
    assert.equal(await page.getByRole('button', { name: /Publish on the demo target/ }).count(), 0);
    await ada.assertAccessible();
  });

  it('have the API switch', async () => {
    await ada.page.getByRole('switch', { name: 'API runs' }).click();
    await ada.page.getByRole('switch', { name: 'API runs', checked: true }).waitFor();
    assert.equal((await readTarget()).apiRuns, true);
  });

  it('have the same switch beside the API keys', async () => {
    const { page } = ada;
    const target = page.url();
    await ada.open('/to/settings/keys');
    const beside = (checked: boolean) =>
      page.getByRole('switch', { name: 'API runs of https://shop.example.org', checked });
    await beside(true).click();
    await beside(false).waitFor();
    await ada.assertAccessible();
    await page.goto(target);
    await page.getByRole('switch', { name: 'API runs', checked: false }).click();
    await page.getByRole('switch', { name: 'API runs', checked: true }).waitFor();
    assert.equal((await readTarget()).apiRuns, true);
  });

  it('have rules of engagement, and a rule that makes no sense is named', async () => {
    const { page } = ada;
    await page.getByLabel('Excluded paths').fill('logout');
    await page.getByRole('button', { name: 'Save the rules' }).click();
    await page.getByText(/excludedPaths\[0\]/).waitFor();
    await page.getByLabel('Excluded paths').fill('/logout\n\n POST /orders \n/index.php?action=delete\n');
    await page.getByLabel('Requests per second').fill('5');
    await page.getByRole('switch', { name: 'Test at certain hours only' }).click();
    await page.getByLabel('From (UTC)').fill('21:30');
    await page.getByLabel('Emergency contact').fill('+49 30 1234');
    await page.getByRole('button', { name: 'Save the rules' }).click();
    await page.getByText('The rules are saved.').waitFor();
    const { rules, emergencyContact } = await readTarget();
    assert.deepEqual(rules, {
      excludedPaths: ['/logout', 'POST /orders', '/index.php?action=delete'],
      requestsPerSecond: 5,
      window: { from: '21:30', to: '06:00' },
    });
    assert.equal(emergencyContact, '+49 30 1234');
    await page.reload();
    assert.equal(await page.getByLabel('Requests per second').inputValue(), '5');
  });

  it('take an API description and show what it is, not what it contains', async () => {
    const { page } = ada;
    const choose = (name: string, text: string) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
    await choose('notes.txt', 'hello');
    await page.getByText('VALIDATION_ERROR').waitFor();
    await page.evaluate(`{
      const input = document.querySelector('input[type=file]');
      const chosen = new DataTransfer();
      chosen.items.add(new File(['a'.repeat(20_000_001)], 'large.json'));
      input.files = chosen.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }`);
    await page.getByText('large.json is larger than 20 MB.').waitFor();
    await choose('shop.json', '{"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{"/inner":{}}}');
    await page.getByText(/^shop\.json \(/).waitFor();
    assert.equal(await page.getByText('/inner').count(), 0);
    await ada.assertAccessible();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByText(/^shop\.json \(/).waitFor({ state: 'detached' });
    assert.equal((await readTarget()).imported, null);
  });

  it('are assigned to members, and taken from them', async () => {
    const { page } = ada;
    const kim = page.getByRole('switch', { name: 'Kim (kim@example.com)' });
    await kim.click();
    await page.getByRole('switch', { name: 'Kim (kim@example.com)', checked: true }).waitFor();
    assert.equal((await readTarget()).assignedTo.length, 1);
    await kim.click();
    await page.getByRole('switch', { name: 'Kim (kim@example.com)', checked: false }).waitFor();
    assert.deepEqual((await readTarget()).assignedTo, []);
  });

  it('fit a phone', async () => {
    await ada.page.setViewportSize({ width: 390, height: 800 });
    const overflow = await ada.page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    assert.equal(overflow, 0);
    const copy = ada.page.getByRole('button', { name: 'Copy' }).nth(1);
    const isWhole = await copy.evaluate((button) => button.scrollWidth <= button.clientWidth);
    assert.ok(isWhole, 'the label of a button is cut');
  });

  it('are removed, without a fault of the page', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Remove this verification' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No targets yet').waitFor();
    assert.deepEqual(ada.faults, []);
  });
});
