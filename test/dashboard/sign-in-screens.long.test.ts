import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { nextTotpCode, totpCode } from '@sortie/testing/http/totp.ts';
import { createVisitor, PASSWORD } from '@sortie/testing/http/visitor.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let ada: Person;
before(async () => {
  world = await createWorld({ flags: [] });
  ada = await visitDashboard(world.server.baseUrl);
});
after(async () => {
  await ada.end();
  await closeBrowser();
  await world.end();
});

const heading = (name: string) => ada.page.getByRole('heading', { name }).waitFor();
const button = (name: string) => ada.page.getByRole('button', { name, exact: true });
/** The links name the host as people see it; the tests' browser uses the address. */
const pathOf = (link: string) => link.replace(/^https?:\/\/[^/]+/, '');

describe('the link of the start', () => {
  it('signs in once, and says what to do when it was used', async () => {
    const link = pathOf(world.server.demo?.signIn?.link ?? assert.fail());
    await ada.open(link);
    await heading('Sign in with your link');
    await ada.assertAccessible();
    await button('Sign in').click();
    await heading('Home');
    await ada.context.clearCookies();
    await ada.open('/sign-in');
    await ada.open(link);
    await button('Sign in').click();
    await ada.page.getByText('This link was used already or has expired.').waitFor();
    await ada.assertAccessible();
  });
});

describe('the link of a new user', () => {
  it('sets a password, with which the user signs in', async () => {
    const { link } = await world.admin.user.create({ email: 'new@example.com' });
    await ada.open(pathOf(link));
    await heading('Set your password');
    await ada.assertAccessible();
    await ada.page.getByLabel('New password').first().fill(PASSWORD);
    await button('Set password').click();
    await heading('The password is set');
    await ada.page.getByRole('link', { name: 'Sign in' }).click();
    await signIn('new@example.com');
    await heading('Home');
  });
});

async function signIn(email: string) {
  await ada.page.getByLabel('E-mail').fill(email);
  await ada.page.getByLabel('Password').first().fill(PASSWORD);
  await button('Sign in').click();
}

describe('a second factor', () => {
  it('is asked for after the password, and accepts a code or a backup code', async () => {
    const visitor = createVisitor(world.server.baseUrl);
    await visitor.signUp('codes@example.com');
    const post = (path: string, body: object) => visitor.call(`/api/auth/two-factor/${path}`, { method: 'POST', body });
    const { body } = await post('enable', { password: PASSWORD });
    const uri = String(body?.totpURI);
    assert.equal((await post('verify-totp', { code: totpCode(uri) })).status, 200);
    await ada.context.clearCookies();
    await ada.open('/sign-in');
    await signIn('codes@example.com');
    await heading('Enter the code of your app');
    await ada.assertAccessible();
    await ada.page.getByLabel('Code').fill(nextTotpCode(uri));
    await button('Sign in').click();
    await heading('Home');
    await ada.context.clearCookies();
    await ada.open('/sign-in');
    await signIn('codes@example.com');
    await button('Use a backup code').click();
    await ada.page.getByLabel('Backup code').fill((body?.backupCodes as string[] | undefined)?.[0] ?? '');
    await button('Sign in').click();
    await heading('Home');
  });
});
