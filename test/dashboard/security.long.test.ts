import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { nextTotpCode, totpCode } from '@sortie/testing/http/totp.ts';
import { createVisitor, PASSWORD, type Visitor } from '@sortie/testing/http/visitor.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const EMAIL = 'security@example.com';
const OTHER_PASSWORD = 'another password of the tests';

let world: World;
let ada: Person;
/** Passkeys need a name. */
let origin: string;
before(async () => {
  world = await createWorld();
  origin = world.server.baseUrl.replace('127.0.0.1', 'localhost');
  ada = await visitDashboard(origin);
  await ada.signUp(EMAIL);
});
after(async () => {
  await closeBrowser();
  await world.end();
});
/** A test tries more codes in ten seconds than a person may. */
beforeEach(() => forgetAttempts());
const forgetAttempts = () => world.testDatabase.database.pool.query('delete from identity."rateLimit"');

const button = (name: string) => ada.page.getByRole('button', { name, exact: true });
const dialog = (name: string) => ada.page.getByRole('dialog', { name });
const section = (name: string) =>
  ada.page.locator('section', { has: ada.page.getByRole('heading', { name, exact: true }) });

async function openSecurity() {
  await ada.page.waitForURL(/\/accounts\//);
  await ada.page.goto(
    `${ada.page
      .url()
      .split('?')[0]
      ?.replace(/(\/accounts\/[^/]+).*/, '$1')}/settings/security`,
  );
  await section('Sessions').getByText('This session').waitFor();
}

async function signOut() {
  await button('You, theme and help').click();
  await ada.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await ada.page.getByRole('heading', { name: 'Sign in to Sortie' }).waitFor();
}

async function signIn(password = PASSWORD) {
  await forgetAttempts();
  await ada.page.getByLabel('E-mail').fill(EMAIL);
  await ada.page.getByLabel('Password').first().fill(password);
  await button('Sign in').click();
}

async function enterCode(label: string, code: string) {
  await ada.page.getByRole('textbox', { name: label, exact: true }).fill(code);
  await button('Sign in').click();
  await ada.page.getByRole('heading', { name: 'Home' }).waitFor();
}

const givePassword = async (title: string, action: string, password = PASSWORD) => {
  await dialog(title).getByLabel('Password').first().fill(password);
  await dialog(title).getByRole('button', { name: action, exact: true }).click();
};

const backupCodesIn = async (title: string) => {
  await dialog(title).getByRole('button', { name: 'I stored them' }).waitFor();
  return ((await dialog(title).locator('pre').textContent()) ?? '').split('\n');
};

const storageOf = () =>
  ada.page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])') as Promise<string>;

describe('the second factor', () => {
  const title = 'Set up a second factor';
  const codeField = () => dialog(title).getByRole('textbox', { name: 'Code', exact: true });
  let uri: string;
  let backupCodes: string[];

  it('is set up with password, app and code', async () => {
    await openSecurity();
    await ada.assertAccessible();
    await section('Second factor').getByText('Off', { exact: true }).waitFor();
    await button('Set up').click();
    await givePassword(title, 'Continue', 'not the password');
    await dialog(title).getByText('The current password is wrong.').waitFor();
    await givePassword(title, 'Continue');
    await dialog(title).getByRole('img', { name: 'QR code of the secret' }).waitFor();
    const link = dialog(title).getByRole('link', { name: 'open it on this device' });
    uri = (await link.getAttribute('href')) ?? assert.fail();
    const secret = new URL(uri).searchParams.get('secret') ?? assert.fail();
    await dialog(title).getByText(secret, { exact: true }).waitFor();
    await ada.assertAccessible();
    await codeField().fill('000000');
    await dialog(title).getByRole('button', { name: 'Turn on' }).click();
    await dialog(title).getByText('The code is wrong').waitFor();
    await codeField().fill(totpCode(uri));
    await dialog(title).getByRole('button', { name: 'Turn on' }).click();
    backupCodes = await backupCodesIn(title);
    assert.equal(backupCodes.length, 10);
    await ada.assertAccessible();
    const stored = await storageOf();
    assert.ok(![secret, PASSWORD, ...backupCodes].some((each) => stored.includes(each)));
    await ada.page.keyboard.press('Escape');
    await dialog(title).getByRole('button', { name: 'I stored them' }).click();
    await dialog(title).waitFor({ state: 'detached' });
    await section('Second factor').getByText('On', { exact: true }).waitFor();
  });

  it('is asked for at the sign-in, by a code of the app or a backup code', async () => {
    await signOut();
    await signIn();
    await enterCode('Code', nextTotpCode(uri));
    await signOut();
    await signIn();
    await button('Use a backup code').click();
    await enterCode('Backup code', backupCodes[0] ?? assert.fail());
  });

  it('has other backup codes after they were replaced, and can be turned off', async () => {
    await openSecurity();
    await button('New backup codes').click();
    await givePassword('New backup codes', 'Replace backup codes');
    const replaced = await backupCodesIn('New backup codes');
    assert.ok(replaced.length === 10 && !replaced.some((code) => backupCodes.includes(code)));
    await button('I stored them').click();
    await button('Turn off').click();
    await ada.assertAccessible();
    await givePassword('Turn off the second factor', 'Turn off');
    await section('Second factor').getByText('Off', { exact: true }).waitFor();
  });
});

describe('a passkey', () => {
  before(async () => {
    const debuggerSession = await ada.context.newCDPSession(ada.page);
    await debuggerSession.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const;
    await debuggerSession.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    });
  });

  const add = async (name: string) => {
    await button('Add passkey').click();
    await dialog('Add a passkey').getByLabel('Name').fill(name);
    await dialog('Add a passkey').getByRole('button', { name: 'Add passkey' }).click();
  };

  it('is added, once per device', async () => {
    await add('Laptop');
    await dialog('Add a passkey').waitFor({ state: 'detached' });
    await button('Remove Laptop').waitFor();
    await add('Twice');
    await ada.page.getByText('This device has a passkey of yours already.').waitFor();
    await ada.assertAccessible();
    await dialog('Add a passkey').getByRole('button', { name: 'Close' }).click();
  });

  it('signs in, and no more once it was removed', async () => {
    await signOut();
    await ada.assertAccessible();
    await button('Sign in with a passkey').click();
    await openSecurity();
    await button('Remove Laptop').click();
    await ada.assertAccessible();
    await button('Remove passkey').click();
    await ada.page.getByText('No passkeys yet.').waitFor();
    await signOut();
    await button('Sign in with a passkey').click();
    await ada.page.getByText('This passkey is not known here.').waitFor();
    await signIn();
    await openSecurity();
  });
});

describe('the sessions', () => {
  const others: Visitor[] = [];
  const statuses = () => Promise.all(others.map(async (each) => (await each.call('/api/me')).status));

  it('are ended one by one, and all others', async () => {
    for (let count = 0; count < 3; count++) {
      const visitor = createVisitor(origin);
      await visitor.signIn(EMAIL);
      others.push(visitor);
    }
    await ada.page.reload();
    const ends = section('Sessions').getByRole('button', { name: /^End the session of/ });
    await section('Sessions')
      .getByText(/^Chrome \d+ on Linux/)
      .waitFor();
    await ends.nth(2).waitFor();
    assert.equal(await ends.count(), 3);
    await ada.assertAccessible();
    await ends.first().click();
    await ends.nth(2).waitFor({ state: 'detached' });
    assert.deepEqual((await statuses()).toSorted(), [200, 200, 401]);
    await button('End all other sessions').click();
    await ends.first().waitFor({ state: 'detached' });
    assert.deepEqual(await statuses(), [401, 401, 401]);
    await section('Sessions').getByText('This session').waitFor();
  });
});

describe('the password', () => {
  const change = async (current: string, next: string) => {
    await section('Password').getByLabel('Current password').first().fill(current);
    await section('Password').getByLabel('New password').first().fill(next);
    await button('Change password').click();
  };

  it('is changed with the present one, and ends the other sessions', async () => {
    const other = createVisitor(origin);
    await other.signIn(EMAIL);
    await change('not the password', OTHER_PASSWORD);
    await ada.page.getByText('The current password is wrong.').waitFor();
    await change(PASSWORD, OTHER_PASSWORD);
    await ada.page.getByText('The password is changed.').waitFor();
    assert.equal((await other.call('/api/me')).status, 401);
  });

  it('needs a new sign-in after 15 minutes, which leads back', async () => {
    const back = ada.page.url();
    await world.testDatabase.database.pool.query(
      `update identity.session set "createdAt" = now() - interval '16 minutes'`,
    );
    await change(OTHER_PASSWORD, PASSWORD);
    await ada.page.getByText('This needs a sign-in of the last 15 minutes.').waitFor();
    await ada.assertAccessible();
    await ada.page.getByRole('link', { name: 'Sign in again' }).click();
    await signIn(OTHER_PASSWORD);
    await ada.page.waitForURL(back);
    await change(OTHER_PASSWORD, PASSWORD);
    await ada.page.getByText('The password is changed.').waitFor();
  });

  it('and the other settings fit a phone, without a fault', async () => {
    await ada.page.setViewportSize({ width: 390, height: 800 });
    await ada.page.reload();
    await section('Sessions').getByText('This session').waitFor();
    const overflow = await ada.page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    assert.equal(overflow, 0);
    assert.deepEqual(ada.faults, []);
  });
});
