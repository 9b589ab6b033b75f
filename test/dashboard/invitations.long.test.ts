import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createVisitor, PASSWORD } from '@sortie/testing/http/visitor.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let ada: Person;
before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
});
after(async () => {
  await closeBrowser();
  await world.end();
});

const button = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true });
const pathOf = (link: string) => link.replace(/^https?:\/\/[^/]+/, '');
const isWideAsWindow = ({ page }: Person) =>
  page.evaluate('document.documentElement.scrollWidth === document.documentElement.clientWidth');

/** Invites by the dialog of the page, and returns the link. */
async function invite(email: string, role: string): Promise<string> {
  await button(ada, 'Invite a person').click();
  const dialog = ada.page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Role').selectOption(role);
  await ada.assertAccessible();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = (await dialog.locator('[data-secret]').textContent()) ?? assert.fail();
  await ada.assertAccessible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  await ada.page.getByText(`${email}, ${role.charAt(0)}${role.slice(1).toLowerCase()}`).waitFor();
  return link;
}

describe('a person who is invited', () => {
  let accountId: string;
  before(async () => {
    await ada.signUp('ada@example.com');
    ({ id: accountId } = await world.admin.account.create({ name: 'Acme', kind: 'organization' }));
    await world.admin.member.add({ account: accountId, user: 'ada@example.com', role: 'OWNER' });
    await ada.open(`/accounts/${accountId}/settings/members`);
    await ada.page.getByText('No open invitations.').waitFor();
  });

  it('signs up with the link and is in the account, with the role', async () => {
    const link = await invite('bob@example.com', 'VIEWER');
    const bob = await visitDashboard(world.server.baseUrl);
    await bob.open(pathOf(link));
    await bob.page.getByRole('heading', { name: 'Join Acme' }).waitFor();
    assert.ok(!bob.page.url().includes('#'), 'the token does not stay in the address');
    await bob.assertAccessible();
    await bob.page.setViewportSize({ width: 390, height: 800 });
    assert.ok(await isWideAsWindow(bob));
    await bob.page.getByLabel('Name').fill('Bob');
    await bob.page.getByLabel('Password').first().fill(PASSWORD);
    await button(bob, 'Sign up and join').click();
    await bob.page.getByRole('heading', { name: 'Home' }).waitFor();
    assert.match(bob.page.url(), new RegExp(accountId));
    await bob.open(pathOf(link));
    await bob.page.getByText('This invitation was used, revoked, or has expired.').waitFor();
    await bob.assertAccessible();
    assert.deepEqual(bob.faults, []);
    await bob.end();
    await ada.page.reload();
    await ada.page.getByRole('cell', { name: 'Bob bob@example.com', exact: true }).waitFor();
  });

  it('signs in with the address that was invited, not with another one', async () => {
    await createVisitor(world.server.baseUrl).signUp('cleo@example.com');
    const link = await invite('cleo@example.com', 'MEMBER');
    const cleo = await visitDashboard(world.server.baseUrl);
    await cleo.signUp('other@example.com');
    await cleo.open(pathOf(link));
    await cleo.page.getByText('You are signed in as other@example.com.').waitFor();
    await button(cleo, 'Sign out').click();
    await cleo.page.getByRole('link', { name: 'Sign in' }).click();
    await cleo.page.getByLabel('E-mail').fill('cleo@example.com');
    await cleo.page.getByLabel('Password').first().fill(PASSWORD);
    await button(cleo, 'Sign in').click();
    await button(cleo, 'Join Acme').click();
    await cleo.page.getByRole('heading', { name: 'Home' }).waitFor();
    assert.match(cleo.page.url(), new RegExp(accountId));
    assert.equal(await cleo.page.evaluate('sessionStorage.getItem("sortie.invitation")'), null);
    assert.deepEqual(cleo.faults, []);
    await cleo.end();
  });

  it('has no use of a link that was revoked', async () => {
    const link = await invite('dora@example.com', 'MEMBER');
    await button(ada, 'Revoke the invitation of dora@example.com').click();
    await ada.assertAccessible();
    await button(ada, 'Revoke invitation').click();
    await ada.page.getByText('No open invitations.').waitFor();
    await ada.open(pathOf(link));
    await ada.page.getByText('This invitation was used, revoked, or has expired.').waitFor();
    assert.deepEqual(ada.faults, []);
  });
});
