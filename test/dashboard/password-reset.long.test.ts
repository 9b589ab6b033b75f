import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createVisitor } from '@sortie/testing/http/visitor.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { type MailServer, startMailServer } from '@sortie/testing/targets/mail-server.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const EMAIL = 'ada@example.com';
const OTHER_PASSWORD = 'another password of the tests';

let mailServer: MailServer;
let world: World;
let ada: Person;
before(async () => {
  mailServer = await startMailServer();
  const env = { SORTIE_SMTP_URL: mailServer.url, SORTIE_MAIL_FROM: 'Sortie <sortie@example.com>' };
  world = await createWorld({ env });
  await createVisitor(world.server.baseUrl).signUp(EMAIL);
  ada = await visitDashboard(world.server.baseUrl);
});
after(async () => {
  await closeBrowser();
  await world.end();
  await mailServer.close();
});

const button = (name: string) => ada.page.getByRole('button', { name, exact: true });
const heading = (name: string) => ada.page.getByRole('heading', { name }).waitFor();

async function request(email: string) {
  await ada.open('/sign-in');
  await ada.page.getByRole('link', { name: 'Forgot your password?' }).click();
  await heading('Forgot your password?');
  await ada.assertAccessible();
  await ada.page.getByLabel('E-mail').fill(email);
  await button('Request link').click();
  await heading('Look into your mails');
  await ada.assertAccessible();
}

describe('a person who has forgotten the password', () => {
  it('gets a link by mail within seconds, sets a new one and signs in', async () => {
    await request(EMAIL);
    await waitFor(() => mailServer.mails.length > 0, { what: 'the mail', withinMs: 30_000 });
    const [mail] = mailServer.mails;
    const link = /^http\S+$/m.exec(mail?.text ?? '')?.[0] ?? assert.fail(mail?.text);
    const { pathname, hash } = new URL(link);
    await ada.open(pathname + hash);
    await ada.page.getByLabel('New password').first().fill(OTHER_PASSWORD);
    await button('Set password').click();
    await heading('The password is set');
    await ada.page.getByRole('link', { name: 'Sign in' }).click();
    await ada.page.getByLabel('E-mail').fill(EMAIL);
    await ada.page.getByLabel('Password').first().fill(OTHER_PASSWORD);
    await button('Sign in').click();
    await heading('Home');
    await ada.context.clearCookies();
    await ada.open(pathname + hash);
    await ada.page.getByLabel('New password').first().fill(OTHER_PASSWORD);
    await button('Set password').click();
    await ada.page.getByText('This link was used already or has expired.').waitFor();
  });

  it('sees the same for an address without a user', async () => {
    await request('nobody@example.com');
    await ada.page.setViewportSize({ width: 390, height: 800 });
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.equal(await ada.page.evaluate(overflow), 0);
    assert.equal(mailServer.mails.length, 1);
    assert.deepEqual(ada.faults, []);
  });
});
