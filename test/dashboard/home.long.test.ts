import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createTarget, grantCredits } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let ada: Person;
let accountId: string;

before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('home@example.com');
  accountId = new URL(ada.page.url()).pathname.split('/')[2] ?? assert.fail();
});
after(async () => {
  await closeBrowser();
  await world.end();
});

describe('the home screen', () => {
  it('ticks the first steps while it is open, and keeps that they were put aside', async () => {
    const { page } = ada;
    await page.getByText('First steps: 0 of 6').waitFor();
    await ada.assertAccessible();
    await grantCredits(world.admin, { accountId }, 50_000);
    await createTarget(world.admin, { accountId }, 'https://sandbox.example/');
    await page.getByText('First steps: 2 of 6').waitFor();
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('button', { name: 'Show the first steps' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Show the first steps' }).click();
    await page.getByText('First steps: 2 of 6').waitFor();
  });

  it('shows as many open findings as the list that each number leads to', async () => {
    const { page } = ada;
    await ada.open(`/accounts/${accountId}/runs/new`);
    await page.getByLabel('URL to test').fill('https://released-findings.sandbox.example/');
    await page.getByRole('button', { name: /^Start Light/ }).click();
    await page.getByText('Report released').waitFor();
    await page.getByText('Held at the start').waitFor();
    await ada.assertAccessible();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Report' }).click();
    await page.getByRole('menuitem', { name: 'Markdown' }).click();
    assert.match((await download).suggestedFilename(), /^pen_\w+-sortie\.md$/);
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    const card = page.getByRole('link', { name: /Open, critical\s*[1-9]/ });
    const number = Number(/\d+/.exec((await card.textContent()) ?? '')?.[0]);
    assert.ok(number > 0);
    await page.getByRole('button', { name: 'Table' }).first().click();
    await page
      .getByRole('link', { name: String(number), exact: true })
      .first()
      .waitFor();
    await ada.assertAccessible();
    await card.click();
    await page.getByText(`${number} of 15 findings`).waitFor();
  });

  it('met no violation of the policy and no error', () => {
    assert.deepEqual(ada.faults, []);
  });
});
