import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { account, createLoginSites, type Reply, type Seen, standingClock } from '@sortie/testing/targets/login-site.ts';
import { codeOf, readAuthenticator } from '../session/totp.ts';

const { attempt, closeAll } = createLoginSites();
afterEach(closeAll);

const secret = 'JBSWY3DPEHPK3PXP';
const to = (location: string, cookie?: string): Reply => ({
  status: 303,
  headers: { Location: location, ...(cookie !== undefined && { 'Set-Cookie': `${cookie}; Path=/` }) },
});
const page = (body: string): Reply => ({ body });
const asForm = (action: string, fields: string) =>
  `<form method="post" action="${action}">${fields}<button>Next</button></form>`;
const PASSWORD = '<input type="password" name="password">';

/** Shows orders to the account and the shop to everyone else. */
const home = ({ cookie }: Seen) => page(cookie.includes('sid=in') ? 'Hello, your orders are here' : 'A shop');

describe('a login in two steps', () => {
  const site = (seen: Seen): Reply => {
    const { path, method, body, cookie } = seen;
    if (path === '/login' && method === 'GET') {
      return page(asForm('/login', '<input type="hidden" name="csrf" value="one"><input name="identifier">'));
    }
    if (path === '/login') {
      const isKnown = body.get('identifier') === account.user && body.get('csrf') === 'one';
      return isKnown
        ? to('/login/password', 'step=2')
        : page(`Nobody has this name ${asForm('/login', '<input name="identifier">')}`);
    }
    if (path === '/login/password' && method === 'GET') {
      return page(asForm('/login/password', `<input type="hidden" name="csrf" value="two">${PASSWORD}`));
    }
    if (path === '/login/password') {
      const isRight = cookie.includes('step=2') && body.get('csrf') === 'two' && body.get('password') === account.pass;
      return isRight ? to('/', 'sid=in') : page(`Wrong ${asForm('/login/password', PASSWORD)}`);
    }
    return path === '/' ? home(seen) : { status: 404 };
  };

  it('fills in the user first and the password on the next page', async () => {
    const { result, posts } = await attempt(site);
    assert.ok('proof' in result, JSON.stringify(result));
    assert.deepEqual(
      posts.map(({ path }) => path),
      ['/login', '/login/password'],
    );
  });

  it('sends no password for a user that nobody is, and a wrong one once', async () => {
    const unknown = await attempt(site, { user: 'bob' });
    assert.equal(unknown.code, 'USER_OR_PASSWORD');
    assert.ok(!JSON.stringify(unknown.seen).includes(account.pass));
    const wrong = await attempt(site, { pass: 'wrong-password' });
    assert.equal(wrong.code, 'USER_OR_PASSWORD');
    assert.equal(wrong.posts.length, 2);
  });
});

describe('a login with a one-time code', () => {
  /** Accepts each code once, and none that is older than its period. */
  function withCodes(clock: { now(): number }, delayMs = 0) {
    const used = new Set<string>();
    const authenticator = readAuthenticator(secret);
    return (seen: Seen): Reply => {
      const { path, method, body, cookie } = seen;
      if (path === '/login' && method === 'GET') return page(asForm('/login', `<input name="user">${PASSWORD}`));
      if (path === '/login') return body.get('password') === account.pass ? to('/code', 'half=1') : { status: 401 };
      const forCode = asForm('/code', '<input name="code" inputmode="numeric">');
      if (path === '/code' && method === 'GET') return page(`Enter the code of your authenticator app ${forCode}`);
      if (path === '/code') {
        const expected = authenticator && codeOf(authenticator, Math.floor((clock.now() + delayMs) / 30_000));
        const code = body.get('code') ?? '';
        if (!cookie.includes('half=1') || code !== expected || used.has(code)) {
          return { status: 401, body: `That authenticator code is wrong or was used ${forCode}` };
        }
        used.add(code);
        return to('/', 'sid=in');
      }
      return path === '/' ? home(seen) : { status: 404 };
    };
  }

  it('enters the code of the account', async () => {
    const clock = standingClock();
    const { result, posts } = await attempt(withCodes(clock), { totpSecret: secret }, '/', { clock });
    assert.ok('proof' in result, JSON.stringify(result));
    assert.equal(posts.length, 2);
  });

  it('enters the next code when the first was used by somebody else already', async () => {
    const clock = standingClock();
    const site = withCodes(clock);
    await attempt(site, { totpSecret: secret }, '/', { clock });
    const { result, posts } = await attempt(site, { totpSecret: secret }, '/', { clock });
    assert.ok('proof' in result, JSON.stringify(result));
    assert.equal(posts.length, 3);
  });

  it('gives up after two codes that are refused', async () => {
    const clock = standingClock();
    const site = withCodes(clock, 600_000);
    const { code, reason, posts } = await attempt(site, { totpSecret: secret }, '/', { clock });
    assert.equal(code, 'ONE_TIME_CODE');
    assert.match(reason ?? '', /Check totpSecret/);
    assert.equal(posts.length, 3);
  });

  it('says that a code is asked for, and what is no secret of an authenticator', async () => {
    const clock = standingClock();
    const without = await attempt(withCodes(clock), {}, '/', { clock });
    assert.equal(without.code, 'ONE_TIME_CODE');
    assert.match(without.reason ?? '', /Give the totpSecret/);
    const odd = await attempt(withCodes(clock), { totpSecret: 'not a secret!' }, '/', { clock });
    assert.match(odd.reason ?? '', /totpSecret must be the Base32 secret/);
    assert.deepEqual(odd.seen, []);
  });

  it('enters the code on the same page as the password', async () => {
    const clock = standingClock();
    const authenticator = readAuthenticator(secret);
    const { result, posts } = await attempt(
      (seen) => {
        if (seen.path === '/') return home(seen);
        if (seen.method === 'GET') return page(asForm('/login', `<input name="user">${PASSWORD}<input name="otp">`));
        const expected = authenticator && codeOf(authenticator, Math.floor(clock.now() / 30_000));
        return seen.body.get('otp') === expected ? to('/', 'sid=in') : { status: 401 };
      },
      { totpSecret: secret },
      '/',
      { clock },
    );
    assert.ok('proof' in result, JSON.stringify(result));
    assert.equal(posts.length, 1);
  });

  it('takes no field for vouchers for one', async () => {
    const { result } = await attempt((seen) => {
      if (seen.path === '/login' && seen.method === 'GET')
        return page(asForm('/login', `<input name="user">${PASSWORD}`));
      if (seen.path === '/login') return to('/', 'sid=in');
      if (seen.path !== '/') return { status: 404 };
      return page(`${home(seen).body}${asForm('/basket', '<input name="coupon_code">')}`);
    });
    assert.ok('proof' in result, JSON.stringify(result));
  });
});

describe('a login that is refused', () => {
  const refusing =
    (answer: Reply, inForm = '') =>
    (seen: Seen): Reply => {
      if (seen.method === 'POST') return answer;
      return seen.path === '/login' ? page(asForm('/login', `<input name="user">${PASSWORD}${inForm}`)) : home(seen);
    };
  const again = (text: string) => page(`${text} ${asForm('/login', `<input name="user">${PASSWORD}`)}`);

  it('says what stands in the way', async () => {
    const captcha = '<div class="g-recaptcha" data-sitekey="x"></div>';
    const cases: [Reply, string, RegExp][] = [
      [again(`Try again ${captcha}`), 'CAPTCHA', /asks for a captcha\. Disable it/],
      [again('Your account is temporarily locked'), 'LOCKED', /Unlock it/],
      [again('Name or password is wrong'), 'USER_OR_PASSWORD', /Check user and password/],
      [{ status: 429, body: 'slow down' }, 'LOCKED', /too many attempts/],
      [{ status: 500 }, 'NO_ANSWER', /status 500/],
    ];
    for (const [reply, code, reason] of cases) {
      const answered = await attempt(refusing(reply), { mode: 'form' });
      assert.equal(answered.code, code);
      assert.match(answered.reason ?? '', reason);
      assert.equal(answered.posts.length, 1);
    }
  });

  it('is no login where both are answered with 200 and nothing tells them apart', async () => {
    const { code, posts } = await attempt(refusing(page('Thank you')));
    assert.equal(code, 'NOT_PROVED');
    assert.equal(posts.filter(({ text }) => text.includes(account.pass)).length, 1);
  });

  it('is none where the account is sent on to a page that it may not see', async () => {
    for (const status of [403, 404]) {
      const { result } = await attempt((one) => {
        if (one.method === 'POST') return to('/staff', 'sid=in');
        if (one.path === '/login') return page(asForm('/login', `<input name="user">${PASSWORD}`));
        return one.path === '/' ? home(one) : { status };
      });
      assert.ok('proof' in result, JSON.stringify(result));
      assert.equal(result.mode, 'form');
    }
  });

  it('finds the form where the instructions say it is', async () => {
    const { result, seen } = await attempt(
      (one) => {
        if (one.path === '/staff-entrance' && one.method === 'GET')
          return page(asForm('/in', `<input name="user">${PASSWORD}`));
        if (one.path === '/in') return to('/', 'sid=in');
        return one.path === '/' ? home(one) : { status: 404 };
      },
      { instructions: 'Please log in at /staff-entrance, then wait.' },
    );
    assert.ok('proof' in result, JSON.stringify(result));
    assert.equal(seen[0]?.path, '/staff-entrance');
  });
});
