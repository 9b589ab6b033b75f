import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createTarget } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const TARGETS = ['https://one.example.test', 'https://two.example.test', 'https://three.example.test'];

let world: World;
let ada: Person;
let account: string;
before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('keyboard@example.com');
  account = new URL(ada.page.url()).pathname.replace(/\/$/, '');
  const accountId = account.split('/').at(-1) ?? '';
  for (const url of TARGETS) await createTarget(world.admin, { accountId }, `${url}/`);
  await world.admin.account
    .create({ name: 'Zebra', kind: 'organization' })
    .then(({ id }) => world.admin.member.add({ account: id, user: 'keyboard@example.com', role: 'OWNER' }));
  await ada.page.reload();
});
after(async () => {
  assert.deepEqual(ada.faults, []);
  await closeBrowser();
  await world.end();
});

const press = async (...keys: string[]) => {
  for (const key of keys) await ada.page.keyboard.press(key);
};
const heading = (name: string) => ada.page.getByRole('heading', { name, exact: true, level: 1 });

describe('the keyboard', () => {
  it('leads to every screen by g and a letter', async () => {
    await heading('Home').waitFor();
    const screens = { t: 'Targets', r: 'Runs', f: 'Findings', s: 'Scans', c: 'Credits', e: 'Settings', h: 'Home' };
    for (const [key, title] of Object.entries(screens)) {
      await press('g', key);
      await heading(title).waitFor();
    }
  });

  for (const shortcut of ['Control+k', 'Meta+k']) {
    it(`opens the palette by ${shortcut}, which leads to screens and accounts`, async () => {
      await ada.open(account);
      await heading('Home').waitFor();
      await press(shortcut);
      const search = ada.page.getByRole('textbox', { name: 'Go to' });
      await search.fill('cred');
      await ada.page.getByRole('button', { name: 'Credits' }).first().waitFor();
      await ada.assertAccessible();
      await press('Enter');
      await heading('Credits').waitFor();
      await press(shortcut);
      await search.fill('zebra');
      await press('Enter');
      await ada.page.getByRole('button', { name: 'Account: Zebra. Switch' }).waitFor();
    });
  }

  it('creates an organization from the palette', async () => {
    await press('Control+k');
    await ada.page.getByRole('textbox', { name: 'Go to' }).fill('organization');
    await press('Enter');
    const dialog = ada.page.getByRole('dialog', { name: 'Create an organization' });
    await dialog.getByLabel('Name').fill('By keyboard');
    await press('Enter');
    await ada.page.getByRole('button', { name: 'Account: By keyboard. Switch' }).waitFor();
  });

  it('moves through the rows of a list by j and k, and opens one by Enter', async () => {
    await ada.open(`${account}/targets`);
    await ada.page.getByText('3 targets').waitFor();
    const current = ada.page.locator('tr[data-current]');
    await press('j', 'j', 'j', 'j');
    await current.filter({ hasText: TARGETS[2] ?? '' }).waitFor();
    await press('k');
    await current.filter({ hasText: TARGETS[1] ?? '' }).waitFor();
    assert.equal(await current.count(), 1);
    await press('Enter');
    await heading(TARGETS[1] ?? '').waitFor();
  });

  it('goes to the filter by /, where letters are letters', async () => {
    await ada.open(`${account}/targets`);
    await ada.page.getByText('3 targets').waitFor();
    await press('/');
    await ada.page.keyboard.type('two g r j ?');
    assert.equal(await ada.page.getByRole('searchbox', { name: 'Filter' }).inputValue(), 'two g r j ?');
    await ada.page.getByText('Nothing matches the filter.').waitFor();
    await heading('Targets').waitFor();
    assert.equal(await ada.page.getByRole('dialog').count(), 0);
  });

  it('lists the keys by ?, and closes the list by Escape', async () => {
    await ada.open(account);
    await heading('Home').waitFor();
    await press('?');
    const help = ada.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const screen of ['Targets', 'Findings', 'Settings']) await help.getByText(screen).first().waitFor();
    await ada.assertAccessible();
    await press('Escape');
    await help.waitFor({ state: 'detached' });
  });

  it('reaches the content past the navigation with the first link', async () => {
    await ada.open(`${account}/targets`);
    await ada.page.getByText('3 targets').waitFor();
    await press('Tab');
    const focused = ada.page.locator(':focus');
    assert.equal(await focused.textContent(), 'Skip to the content');
    await press('Enter');
    assert.match(ada.page.url(), /#content$/);
  });
});
