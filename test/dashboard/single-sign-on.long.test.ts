import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { type OidcProvider, startOidcProvider } from '@sortie/testing/targets/oidc-provider.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let provider: OidcProvider;
let world: World;
let ada: Person;
before(async () => {
  provider = await startOidcProvider();
  world = await createWorld({
    env: {
      SORTIE_OIDC_ISSUER: provider.issuer,
      SORTIE_OIDC_CLIENT_ID: provider.clientId,
      SORTIE_OIDC_CLIENT_SECRET: provider.clientSecret,
      SORTIE_OIDC_LABEL: 'Acme login',
      SORTIE_OIDC_CREATES_USERS: 'yes',
      SORTIE_OIDC_DOMAINS: 'example.com',
    },
  });
  // Single sign-on works at the public address only.
  ada = await visitDashboard(world.server.publicUrl ?? assert.fail());
});
after(async () => {
  await closeBrowser();
  await world.end();
  await provider.close();
});

const button = (name: string) => ada.page.getByRole('button', { name, exact: true });
const home = () => ada.page.getByRole('heading', { name: 'Home' }).waitFor();
const section = () => ada.page.locator('section', { has: ada.page.getByRole('heading', { name: 'Single sign-on' }) });
const signedOut = async () => {
  await ada.context.clearCookies();
  await ada.open('/sign-in');
};
const openSecurity = async () => {
  await home();
  await ada.page.goto(`${ada.page.url().replace(/[/?]*$/, '')}/settings/security`);
};

describe('single sign-on', () => {
  it('signs a new person in, and leads back to where they wanted to be', async () => {
    provider.person = { sub: '1', email: 'ada@example.com', email_verified: true, name: 'Ada' };
    await ada.open('/device');
    await button('Sign in with Acme login').waitFor();
    await ada.assertAccessible();
    await button('Sign in with Acme login').click();
    await ada.page.getByRole('heading', { name: 'Connect a program' }).waitFor();
    assert.equal(new URL(ada.page.url()).pathname, '/device');
  });

  it('says why it was refused', async () => {
    await signedOut();
    provider.person = { sub: '2', email: 'eve@evil.example', email_verified: true };
    await button('Sign in with Acme login').click();
    await ada.page.getByText('Addresses of your domain are not accepted here.').waitFor();
    await ada.assertAccessible();
  });

  it('says when the provider did not ask again, and leads back after another sign-in', async () => {
    await signedOut();
    provider.person = { sub: '1', email: 'ada@example.com', email_verified: true, name: 'Ada' };
    provider.knownFor = 3_600;
    provider.faults = { ignoresPrompt: true };
    await button('Sign in with Acme login').click();
    await home();
    await ada.page.goto(`${ada.page.url().replace(/[/?]*$/, '')}/settings/keys`);
    await button('Create key').first().click();
    const dialog = ada.page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Name').fill('CI');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('This needs a sign-in of the last 15 minutes').waitFor();
    await dialog.getByRole('link', { name: 'Sign in again' }).click();
    await button('Sign in with Acme login').click();
    await ada.page.getByText('Acme login did not ask you to sign in again.').waitFor();
    await ada.assertAccessible();
    provider.faults = {};
    await button('Sign in with Acme login').click();
    await ada.page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    assert.match(ada.page.url(), /\/settings\/keys$/);
    provider.knownFor = 0;
  });

  it('is connected by a user with a password under Settings, and disconnected', async () => {
    await signedOut();
    await ada.signUp('bob@example.com');
    await signedOut();
    provider.person = { sub: '3', email: 'bob@example.com', email_verified: true };
    await button('Sign in with Acme login').click();
    await ada.page.getByText('which is not connected yet').waitFor();
    await ada.page.getByRole('textbox', { name: 'E-mail' }).fill('bob@example.com');
    await ada.page.getByLabel('Password').first().fill('a password of the tests');
    await button('Sign in').click();
    await openSecurity();
    await section().getByRole('button', { name: 'Connect' }).click();
    await section().getByText('You can sign in with Acme login.').waitFor();
    await ada.assertAccessible();
    await signedOut();
    await button('Sign in with Acme login').click();
    await openSecurity();
    await section().getByRole('button', { name: 'Disconnect' }).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Disconnect Acme login' });
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await section().getByText('Connect Acme login to sign in with it').waitFor();
    assert.deepEqual(
      ada.faults.filter((fault) => !fault.startsWith(provider.issuer)),
      [],
    );
  });
});
