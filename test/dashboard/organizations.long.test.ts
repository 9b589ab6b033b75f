import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let ada: Person;
before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('organizations@example.com');
});
after(async () => {
  await closeBrowser();
  await world.end();
});

const accountId = () => /\/accounts\/([^/]+)/.exec(ada.page.url())?.[1] ?? assert.fail(ada.page.url());
const switcher = (name: string) => ada.page.getByRole('button', { name: `Account: ${name}. Switch` });

async function readAudit(): Promise<unknown[]> {
  const text = 'select action, details from audit_entry where account_id = $1 and action like $2 order by id';
  return (await world.testDatabase.database.pool.query(text, [accountId(), 'account.%'])).rows;
}

describe('accounts in the browser', () => {
  it('of one person are renamed under Settings, Members', async () => {
    const { page } = ada;
    await ada.open('/to/settings/members');
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename the account' });
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Ada');
    assert.ok(await dialog.getByRole('button', { name: 'Rename account' }).isDisabled());
    await dialog.getByLabel('Name').fill('Ada at home');
    await ada.assertAccessible();
    await dialog.getByRole('button', { name: 'Rename account' }).click();
    await switcher('Ada at home').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal((await readAudit()).length, 2);
  });

  it('of several people are created, and lead to their members', async () => {
    const { page } = ada;
    const personal = accountId();
    await ada.open('/to/settings/members');
    await page.getByRole('button', { name: 'Create an organization' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an organization' });
    await dialog.getByLabel('Name').fill('Acme');
    await ada.assertAccessible();
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await switcher('Acme').waitFor();
    await page.getByRole('heading', { name: 'Invitations' }).waitFor();
    await page.getByRole('row', { name: /organizations@example\.com.*Owner/ }).waitFor();
    assert.notEqual(accountId(), personal);
    await ada.assertAccessible();
  });

  it('are created from every screen, and switched between', async () => {
    const { page } = ada;
    await switcher('Acme').click();
    await page.getByRole('menuitem', { name: 'Create an organization…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an organization' });
    await dialog.getByLabel('Name').fill('Zed <b>bold</b>');
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await switcher('Zed <b>bold</b>').waitFor();
    await page.getByRole('heading', { name: 'Organization', exact: true }).waitFor();
    await switcher('Zed <b>bold</b>').click();
    await page.getByRole('menuitem', { name: /^Acme/ }).click();
    await switcher('Acme').waitFor();
  });

  it('say why there are no more of them, and offer none from then on', async () => {
    const { page } = ada;
    await switcher('Acme').click();
    await page.getByRole('menuitem', { name: 'Create an organization…' }).click();
    const { baseUrl } = world.server;
    for (const name of ['Three', 'Four', 'Five']) {
      const request = { headers: { origin: baseUrl }, data: { name } };
      const answer = await page.request.post(`${baseUrl}/api/organizations`, request);
      assert.equal(answer.status(), 201, await answer.text());
    }
    const dialog = page.getByRole('dialog', { name: 'Create an organization' });
    await dialog.getByLabel('Name').fill('Six');
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await dialog.getByText('You own as many organizations as one person may.').waitFor();
    await page.reload();
    await switcher('Acme').click();
    await page.getByRole('menuitem', { name: /^Five/ }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Create an organization…' }).count(), 0);
    await page.keyboard.press('Escape');
  });

  it('are not renamed by a viewer, without a fault of the page', async () => {
    const { page } = ada;
    const { id: account } = await world.admin.account.create({ name: 'Foreign', kind: 'organization', plan: 'team' });
    await world.admin.member.add({ account, user: 'organizations@example.com', role: 'VIEWER' });
    await ada.open(`/accounts/${account}/settings/members`);
    await page.getByRole('heading', { name: 'Organization', exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Rename' }).count(), 0);
    assert.deepEqual(ada.faults, []);
  });
});
