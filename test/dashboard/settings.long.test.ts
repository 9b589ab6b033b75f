import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let ada: Person;
before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('settings@example.com');
});
after(async () => {
  await closeBrowser();
  await world.end();
});

describe('the settings in the browser', () => {
  it('are reached by keys, with keys, members and the audit log', async () => {
    const { page } = ada;
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    await page.getByText('No API keys yet').waitFor();
    await ada.assertAccessible();
    await page.getByRole('tab', { name: 'Members' }).click();
    await page.getByText('settings@example.com').waitFor();
    await ada.assertAccessible();
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByText('account.created').waitFor();
    await ada.assertAccessible();
    assert.deepEqual(ada.faults, []);
  });
});
