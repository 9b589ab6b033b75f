import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let ada: Person;
before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('targets@example.com');
});
after(async () => {
  await closeBrowser();
  await world.end();
});

describe('the targets in the browser', () => {
  it('are added, with the value to publish, and checked', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Targets', exact: true }).click();
    await page.getByText('No targets yet').waitFor();
    await page.getByRole('button', { name: 'Add target' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a target' });
    await adding.getByLabel('Host or URL').fill('ftp://shop.example.org');
    await adding.getByRole('button', { name: 'Add target' }).click();
    await adding.getByText('VALIDATION_ERROR').waitFor();
    await adding.getByLabel('Host or URL').fill('shop.example.org');
    await ada.assertAccessible();
    await adding.getByRole('button', { name: 'Add target' }).click();
    const target = page.getByRole('dialog', { name: 'https://shop.example.org' });
    await target.getByText('https://shop.example.org/.well-known/sortie-verification.txt').waitFor();
    await target.getByRole('button', { name: 'Check now' }).click();
    await target.getByText('The check waits for a worker.').waitFor();
    await ada.assertAccessible();
  });

  it('have the API switch', async () => {
    const target = ada.page.getByRole('dialog', { name: 'https://shop.example.org' });
    await target.getByRole('switch', { name: 'API runs' }).click();
    await target.getByRole('switch', { name: 'API runs', checked: true }).waitFor();
    await target.getByRole('button', { name: 'Close' }).click();
    await ada.page.getByRole('button', { name: 'Verify https://shop.example.org' }).waitFor();
    const { rows } = await world.testDatabase.database.pool.query('select api_runs from target');
    assert.deepEqual(rows, [{ api_runs: true }]);
  });

  it('fit a phone, without a fault', async () => {
    await ada.page.setViewportSize({ width: 390, height: 800 });
    await ada.page.getByRole('button', { name: 'Verify https://shop.example.org' }).click();
    await ada.page.getByRole('dialog', { name: 'https://shop.example.org' }).waitFor();
    const overflow = await ada.page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    assert.equal(overflow, 0);
    const copy = ada.page.getByRole('button', { name: 'Copy' }).nth(1);
    const isWhole = await copy.evaluate((button) => button.scrollWidth <= button.clientWidth);
    assert.ok(isWhole, 'the label of a button is cut');
    assert.deepEqual(ada.faults, []);
  });
});
