import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type Application, createApplication } from '@sortie/testing/targets/login-application.ts';
import { account, createLoginSites, type Reply, type Site, standingClock } from '@sortie/testing/targets/login-site.ts';
import { type Browser, openBrowser } from '../../browser/browser.ts';
import type { EngineCredential } from '../../protocol/messages.ts';
import { codeOf, readAuthenticator } from '../session/totp.ts';

const { attempt, start, closeAll } = createLoginSites();
afterEach(closeAll);

let browser: Browser;
before(async () => {
  browser = await openBrowser('/usr/bin/chromium', 'Sortie test', 'preferred');
});
after(() => browser.close());

const secret = 'JBSWY3DPEHPK3PXP';
const authenticator = readAuthenticator(secret);
const clock = standingClock();
const code = () => (authenticator ? codeOf(authenticator, Math.floor(clock.now() / 30_000)) : '');

const logInTo = (site: Site, changes: Partial<EngineCredential> = {}) =>
  attempt(site, { mode: 'browser', ...changes }, '/', { clock, openBrowser: async () => browser });

describe('a login in the browser works', () => {
  const applications: Record<string, Application> = {
    'with a token that is only stored': { keeps: 'storage' },
    'with a cookie': { keeps: 'cookie' },
    'with a cookie that a script sets': { keeps: 'cookie of a script' },
    'in two steps': { keeps: 'cookie', inSteps: true },
    'behind a button': { keeps: 'cookie', isBehindButton: true },
    'with a one-time code': { keeps: 'cookie', code },
    'with a one-time code in six fields': { keeps: 'storage and headers', code, inDigits: true },
    'in two steps with a code': { keeps: 'storage', code, inSteps: true },
    'in a shadow tree': { keeps: 'cookie', inShadow: true },
  };
  for (const [name, application] of Object.entries(applications)) {
    it(name, async () => {
      // Each code is good for one login.
      clock.pass(30_000);
      const { result, posts } = await logInTo(
        createApplication(application),
        application.code ? { totpSecret: secret } : {},
      );
      assert.ok('proof' in result, JSON.stringify(result));
      assert.ok(posts.length <= 3);
    });
  }

  it('where mode auto finds no form', async () => {
    const { result, posts } = await logInTo(createApplication({ keeps: 'cookie' }), { mode: 'auto' });
    assert.ok('proof' in result, JSON.stringify(result));
    assert.deepEqual(
      posts.map(({ path }) => path),
      ['/rest/enter'],
    );
  });

  it('on the page that asks for a password, though others have a field that says nothing of itself', async () => {
    const form = '<input id="email"><input type="password"><button>Log in</button>';
    const page = `<input><main></main><script>
      if (location.hash === '#/login') document.querySelector('main').innerHTML = '${form}';
      document.querySelector('button')?.addEventListener('click', () => {
        const [, who, secret] = [...document.querySelectorAll('input')].map(({ value }) => value);
        fetch('/rest/enter', { method: 'POST', body: JSON.stringify({ who, secret }) })
          .then(() => fetch('/rest/about-me')).then(() => { document.querySelector('main').innerHTML = 'Welcome'; });
      });</script>`;
    const site = createApplication({ keeps: 'cookie' });
    const { result, posts } = await logInTo((seen) => (seen.path.startsWith('/rest/') ? site(seen) : { body: page }));
    assert.ok('proof' in result, JSON.stringify(result));
    assert.equal(posts.length, 1);
  });

  it('through a plain form and its redirects, and keeps the cookies of each of them', async () => {
    const form =
      '<form method="post" action="/in"><input name="user"><input type="password" name="pass"><button>Log in</button></form>';
    const to = (location: string, status: number, cookie: string): Reply => ({
      status,
      headers: { Location: location, 'Set-Cookie': `${cookie}; HttpOnly; Path=/` },
    });
    const { result } = await logInTo(({ path, method, body, cookie }) => {
      if (path === '/')
        return {
          body:
            cookie.includes('two=2') && cookie.includes('one=1') ? 'Your orders' : 'A shop <a href="/door">Log in</a>',
        };
      if (path === '/door') return { body: form };
      if (path === '/in') return to('/again', 307, 'zero=0');
      if (path === '/again' && method === 'POST')
        return body.get('pass') === account.pass ? to('/next', 302, 'one=1') : { body: form };
      return path === '/next' ? to('/', 302, 'two=2') : { status: 404 };
    });
    assert.ok('proof' in result, JSON.stringify(result));
  });
});

describe('a login in the browser fails', () => {
  it('with a wrong password, which is sent once', async () => {
    for (const inSteps of [false, true]) {
      const site = createApplication({ keeps: 'cookie', inSteps });
      const { code: failed, posts } = await logInTo(site, { pass: 'wrong-password' });
      assert.equal(failed, 'USER_OR_PASSWORD');
      assert.equal(posts.filter(({ text }) => text.includes('wrong-password')).length, 1);
    }
  });

  it('with a user that nobody is, and keeps the password to itself', async () => {
    const { code: failed, seen } = await logInTo(createApplication({ keeps: 'cookie', inSteps: true }), {
      user: 'bob',
    });
    assert.equal(failed, 'USER_OR_PASSWORD');
    assert.ok(!JSON.stringify(seen).includes(account.pass));
  });

  it('where the password would be sent in an address, and is not', async () => {
    const form =
      '<form action="/in"><input name="user"><input type="password" name="pass"><button>Log in</button></form>';
    for (const mode of ['browser', 'auto'] as const) {
      const { reason, seen } = await logInTo(({ path }) => (path === '/' ? { body: form } : { status: 404 }), { mode });
      assert.match(reason ?? '', /sends the password in the URL/);
      assert.ok(!JSON.stringify(seen).includes(account.pass));
    }
  });

  it('at a captcha', async () => {
    const site = createApplication({ keeps: 'cookie', captcha: true });
    const { code: failed } = await logInTo((seen) =>
      seen.method === 'POST' ? { status: 403, body: '{"message":"No"}' } : site(seen),
    );
    assert.equal(failed, 'CAPTCHA');
  });

  it('without the secret of a code, and with a wrong one after two', async () => {
    const site = createApplication({ keeps: 'cookie', code });
    assert.equal((await logInTo(site)).code, 'ONE_TIME_CODE');
    const wrong = await logInTo(createApplication({ keeps: 'cookie', code: () => 'never' }), { totpSecret: secret });
    assert.equal(wrong.code, 'ONE_TIME_CODE', wrong.reason);
    assert.ok(wrong.posts.filter(({ text }) => text.includes('"code"')).length <= 2);
  });

  it('where it leads to somebody else, who is sent nothing', async () => {
    const form = '<form method="post"><input name="user"><input type="password"><button>Log in</button></form>';
    const { server, seen } = await start(() => ({ body: form }));
    const { code: failed, reason } = await logInTo(({ path }) =>
      path === '/' ? { body: `<a href="${server.url}/sso">Log in</a>` } : { status: 404 },
    );
    assert.equal(failed, 'OUT_OF_SCOPE', reason);
    assert.match(reason ?? '', new RegExp(`redirects to ${server.url}, which is not covered`));
    assert.ok(seen.every(({ method }) => method === 'GET'));
    assert.ok(!JSON.stringify(seen).includes(account.pass));
  });

  it('where there is nothing to log in by', async () => {
    const { code: failed, reason } = await logInTo(() => ({ body: '<p>A page</p><input type="search" name="q">' }));
    assert.equal(failed, 'NO_LOGIN', reason);
  });

  it('on a page that loops for ever', async () => {
    const { code: failed, posts } = await logInTo(() => ({
      body: '<input type="password"><script>for (;;);</script>',
    }));
    assert.equal(failed, 'NO_LOGIN');
    assert.deepEqual(posts, []);
    assert.ok('proof' in (await logInTo(createApplication({ keeps: 'cookie' }))).result);
  });
});
