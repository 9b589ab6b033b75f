import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { call } from '@sortie/testing/http/call.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
before(async () => {
  world = await createWorld();
});
after(async () => {
  await closeBrowser();
  await world.end();
});

describe('a new person', () => {
  let ada: Person;
  before(async () => {
    ada = await visitDashboard(world.server.baseUrl);
  });

  it('is asked to sign in, signs up, and comes to the own account', async () => {
    await ada.open('/');
    await ada.page.getByRole('heading', { name: 'Sign in to Sortie' }).waitFor();
    await ada.assertAccessible();
    await ada.signUp('ada@example.com');
    await ada.assertAccessible();
  });

  it('has loaded less than 300 kB of script', async () => {
    const addresses = (await ada.page.evaluate(
      "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))",
    )) as string[];
    assert.ok(addresses.length > 3);
    let bytes = 0;
    for (const address of new Set(addresses)) {
      const { headers } = await call(address, { headers: { 'accept-encoding': 'gzip' } });
      bytes += Number(headers['content-length']);
    }
    assert.ok(bytes > 100_000 && bytes < 300_000, String(bytes));
  });

  it('goes to the screens by keys and sees what to do there', async () => {
    for (const [key, title, hint] of [
      ['t', 'Targets', 'No targets yet'],
      ['r', 'Runs', 'No runs yet'],
      ['s', 'Scans', 'No scans yet'],
      ['c', 'Credits', '1,'],
    ] as const) {
      await ada.page.keyboard.press('g');
      await ada.page.keyboard.press(key);
      await ada.page.getByRole('heading', { name: title, exact: true }).waitFor();
      if (hint !== '1,') await ada.page.getByText(hint).waitFor();
      await ada.assertAccessible();
    }
  });

  it('comes back after a sign-in to the page that was asked for, and never to another site', async () => {
    const address = new URL(ada.page.url());
    await ada.context.clearCookies();
    await ada.page.reload();
    await ada.page.getByRole('heading', { name: 'Sign in to Sortie' }).waitFor();
    const signIn = async () => {
      await ada.page.getByLabel('E-mail').fill('ada@example.com');
      await ada.page.getByLabel('Password').first().fill('a password of the tests');
      await ada.page.getByRole('button', { name: 'Sign in' }).click();
    };
    await signIn();
    await ada.page.waitForURL((url) => url.pathname === address.pathname);
    for (const elsewhere of ['//evil.example/', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)']) {
      await ada.context.clearCookies();
      await ada.open(`/sign-in?to=${encodeURIComponent(elsewhere)}`);
      await signIn();
      await ada.page.getByRole('heading', { name: 'Home' }).waitFor();
    }
  });

  it('met no violation of the policy, no error and no foreign request', async () => {
    assert.deepEqual(ada.faults, []);
    await ada.end();
  });
});
