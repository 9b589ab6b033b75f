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

const html = { headers: { accept: 'text/html,*/*;q=0.8' } };

describe('the pages of the dashboard', () => {
  it('have a strict policy with a nonce of their own', async () => {
    const [first, second] = await Promise.all([
      call(`${world.server.baseUrl}/`, html),
      call(`${world.server.baseUrl}/accounts/acc_1/runs`, html),
    ]);
    for (const { status, headers } of [first, second]) {
      assert.equal(status, 200);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /script-src 'self';/);
      assert.doesNotMatch(policy, /unsafe|https?:/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cache-control'], 'no-store');
    }
    assert.notEqual(first.headers['content-security-policy'], second.headers['content-security-policy']);
    const nonce = /'nonce-([^']+)'/.exec(String(first.headers['content-security-policy']))?.[1] ?? assert.fail();
    assert.ok(first.text.includes(`nonce="${nonce}"`));
  });

  it('do not hide the Error object from programs, nor below the API', async () => {
    for (const [path, options] of [
      ['/nope', {}],
      ['/api/nope', html],
      ['/v1/nope', html],
      ['/assets/nope.js', html],
      ['/assets/..%2Findex.html', html],
    ] as const) {
      const { status, body } = await call(world.server.baseUrl + path, options);
      assert.ok([401, 404].includes(status), path);
      assert.ok(body?.code, path);
    }
  });

  it('have scripts that browsers keep, compressed', async () => {
    const { text } = await call(`${world.server.baseUrl}/`, html);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? assert.fail(text);
    const answer = await call(world.server.baseUrl + script, { headers: { 'accept-encoding': 'gzip, br' } });
    assert.match(String(answer.headers['cache-control']), /immutable/);
    assert.equal(answer.headers['content-encoding'], 'br');
    const again = { headers: { 'if-none-match': String(answer.headers.etag) } };
    assert.equal((await call(world.server.baseUrl + script, again)).status, 304);
  });
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
