import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  account,
  createLoginSites,
  json,
  type Reply,
  type Seen,
  standingClock,
} from '@sortie/testing/targets/login-site.ts';
import { findToken } from '../session/tokens.ts';
import { codeOf, readAuthenticator } from '../session/totp.ts';

const { attempt, closeAll } = createLoginSites();
afterEach(closeAll);

const TOKEN = 'eyJhbGciOiJub25lIn0.eyJ1c2VyIjoxfQ.c2lnbmF0dXJl';
const shell = { body: '<div id="app"></div><script src="/app.js"></script>' };
const isRight = (value: unknown) => value === account.pass;

/** A single-page application: one page for all visitors, and an API with a single account. */
function application(logIn: (body: Record<string, unknown>, seen: Seen) => Reply, at = '/api/login', script = '') {
  return (seen: Seen): Reply => {
    const { path, method, headers, cookie } = seen;
    if (path === at && method === 'POST') return logIn(JSON.parse(seen.text), seen);
    if (path === '/app.js') return { headers: { 'Content-Type': 'text/javascript' }, body: script };
    if (path === '/api/me') {
      const isKnown = headers.authorization === `Bearer ${TOKEN}` || cookie.includes('sid=in');
      return isKnown ? json({ email: account.user, orders: 3 }) : json({ message: 'Unauthorized' }, 401);
    }
    if (path.startsWith('/api/') || method === 'POST') return json({ message: 'Not found' }, 404);
    return shell;
  };
}

describe('a login by JSON', () => {
  it('finds the interface at its usual address, and takes the token from its answer', async () => {
    const { result, posts, redactor } = await attempt(
      application(({ email, password }) => {
        if (email === undefined) return json({ errors: { email: 'is required', password: 'is required' } }, 422);
        return isRight(password) ? json({ data: { accessToken: TOKEN } }) : json({ message: 'Wrong' }, 401);
      }),
      { mode: 'json' },
    );
    assert.ok('proof' in result, JSON.stringify(result));
    assert.match(result.proof.url, /\/api\/me$/);
    assert.deepEqual(JSON.parse(posts.at(-1)?.text ?? ''), { email: account.user, password: account.pass });
    assert.equal(posts.filter(({ text }) => text.includes(account.pass)).length, 1);
    assert.equal(redactor.redact(`say ${TOKEN}`), 'say [redacted]');
  });

  it('finds in scripts where the page sends logins, and as what; a cookie will do', async () => {
    const script =
      'async function go(){await fetch("/v2/session/open-login",{body:JSON.stringify({login:u,passwd:p})})}';
    const { result } = await attempt(
      application(
        ({ login, passwd }) =>
          login === account.user && isRight(passwd)
            ? json({}, 200, { 'Set-Cookie': 'sid=in; Path=/; HttpOnly' })
            : json({ message: 'No' }, 401),
        '/v2/session/open-login',
        script,
      ),
      { mode: 'json' },
    );
    assert.ok('proof' in result, JSON.stringify(result));
  });

  it('finds in parts of scripts an interface that breaks on what has no user, unlike all that breaks on anything', async () => {
    const breaks = { status: 500, headers: { 'Content-Type': 'text/html' }, body: '<h1>Error</h1>' };
    const site = application(
      ({ email, password }) => {
        if (typeof email !== 'string') return breaks;
        if (email === account.user && isRight(password)) return json({ authentication: { token: TOKEN } });
        return { status: 401, headers: { 'Content-Type': 'text/html' }, body: 'Invalid email or password.' };
      },
      '/rest/door/sign-in',
      'import { enter } from "./part.js"',
    );
    const { result, posts } = await attempt(
      (seen: Seen) => {
        const part = 'export const enter = (e) => http.post(host + "/rest/door/sign-in", e)';
        if (seen.path === '/part.js') return { headers: { 'Content-Type': 'text/javascript' }, body: part };
        const isElsewhere = seen.method === 'POST' && seen.path !== '/rest/door/sign-in';
        return isElsewhere ? breaks : site(seen);
      },
      { mode: 'json' },
    );
    assert.ok('proof' in result, JSON.stringify(result));
    assert.equal(posts.filter(({ text }) => text.includes(account.pass)).length, 1);
  });

  it('finds a request that a script sends by XMLHttpRequest, and that responds to right credentials only', async () => {
    const script = `function enter() { var r = new XMLHttpRequest(); r.open('POST', '/auth');
        r.setRequestHeader('Content-Type', 'application/json'); r.send(JSON.stringify({ who: 'a', password: 'b' })) }
      function show() { var r = new XMLHttpRequest(); r.open('GET', '/inside'); r.send() }`;
    const site = application(
      ({ who, password }) =>
        who === account.user && isRight(password) ? json({ access_token: TOKEN }) : { hangsUp: true },
      '/auth',
      script,
    );
    const { result, posts } = await attempt((seen: Seen) => {
      if (seen.path !== '/inside') return site(seen);
      return seen.headers.authorization === `JWT ${TOKEN}` ? json({ orders: 3 }) : json({ message: 'No token' }, 401);
    });
    assert.ok('proof' in result, JSON.stringify(result));
    assert.match(result.proof.url, /\/inside$/);
    assert.equal(posts.filter(({ text }) => text.includes(account.pass)).length, 1);
  });

  it('asks first where scripts post to, and takes a plain no for one whatever its type', async () => {
    const script =
      'const labels = ["loginForm", "LAST_LOGIN"]; const enter = (e) => http.post(host + "/rest/in/login", e)';
    const { result, posts } = await attempt(
      application(
        ({ email, password }) =>
          email === account.user && isRight(password)
            ? json({ authentication: { token: TOKEN } })
            : { status: 401, headers: { 'Content-Type': 'text/html' }, body: 'Invalid email or password.' },
        '/rest/in/login',
        script,
      ),
      { mode: 'json' },
    );
    assert.ok('proof' in result, JSON.stringify(result));
    assert.deepEqual([...new Set(posts.map(({ path }) => path))], ['/rest/in/login']);
  });

  it('is proved by what scripts read of an account, where nothing is at the usual addresses', async () => {
    const script =
      'const enter = (e) => http.post("/gate/login", e); const purse = () => http.get("/gate/wallet/balance")';
    const site = application(
      ({ email, password }) => (email && isRight(password) ? json({ token: TOKEN }) : json({ message: 'No' }, 401)),
      '/gate/login',
      script,
    );
    const { result } = await attempt(
      (seen: Seen) => {
        if (seen.path === '/api/me') return json({ message: 'Not found' }, 404);
        if (seen.path !== '/gate/wallet/balance') return site(seen);
        return seen.headers.authorization === `Bearer ${TOKEN}` ? json({ balance: 7 }) : json({ message: 'No' }, 401);
      },
      { mode: 'json' },
    );
    assert.ok('proof' in result, JSON.stringify(result));
    assert.match(result.proof.url, /wallet/);
  });

  it('goes where a script of the page sends user and password, though that breaks on unknown users', async () => {
    const page = `<input type="username" id="u"><input type="password" id="p"><script>
      function enter() {
        const sent = { nick: u.value, secret: p.value };
        fetch('/door/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(sent) });
      }
      const list = () => fetch('/door/parcels');
    </script>`;
    const { result, posts } = await attempt(
      ({ path, method, text, headers }: Seen) => {
        if (path === '/') return { body: page };
        if (path === '/door/parcels')
          return headers.authorization === `Bearer ${TOKEN}` ? json([7]) : json({ message: 'No' }, 401);
        if (path !== '/door/login' || method !== 'POST') return { status: 404 };
        const { nick, secret } = JSON.parse(text);
        if (nick !== account.user) return json({ error: 'NullPointerException' }, 500);
        return isRight(secret) ? json({ token: TOKEN }) : json({ error: 'Unauthorized' }, 401);
      },
      { mode: 'json' },
    );
    assert.ok('proof' in result, JSON.stringify(result));
    assert.equal(posts.filter(({ text }) => text.includes(account.pass)).length, 1);
  });

  it('asks for what scripts read of accounts, and for little else where they read none', async () => {
    const others = ['/news', '/tides', '/weather', '/stars'];
    const asked = async (reads: readonly string[]) => {
      const script = reads.map((path) => `fetch('/data${path}');`).join('');
      const seen = new Set<string>();
      const logIn = ({ password }: Record<string, unknown>) =>
        isRight(password) ? json({ token: TOKEN }) : json({ email: 'is required', password: 'is required' }, 422);
      const site = application(logIn, '/api/login', script);
      await attempt(
        (each: Seen) => {
          if (each.path.startsWith('/data/')) seen.add(each.path);
          return site(each);
        },
        { mode: 'json' },
      );
      return [...seen].toSorted();
    };
    assert.deepEqual(await asked([...others, '/profile']), ['/data/profile']);
    assert.deepEqual(await asked(others), ['/data/news', '/data/tides']);
  });

  it('goes where the instructions say', async () => {
    const { result, posts } = await attempt(
      application(({ username, password }) => (username && isRight(password) ? json(TOKEN) : json({}, 400)), '/gate'),
      { mode: 'json', instructions: 'Send it with POST /gate.' },
    );
    assert.ok('proof' in result, JSON.stringify(result));
    assert.ok(posts.every(({ path }) => path === '/gate'));
  });

  it('tries other names only while nobody has looked at the password', async () => {
    const strict = await attempt(
      application(({ username, password }) => {
        if (typeof username !== 'string') return json({ message: 'Bad request' }, 400);
        return isRight(password) ? json({ token: TOKEN }) : json({ message: 'Wrong' }, 401);
      }),
      { mode: 'json' },
    );
    assert.ok('proof' in strict.result, JSON.stringify(strict.result));
    const wrong = await attempt(
      application(({ email }) =>
        email === undefined ? json({ message: 'Bad request' }, 400) : json({ message: 'No' }, 401),
      ),
      { mode: 'json', pass: 'wrong-password' },
    );
    assert.equal(wrong.code, 'USER_OR_PASSWORD');
    assert.equal(wrong.posts.filter(({ text }) => text.includes('wrong-password')).length, 1);
    const deaf = await attempt(
      application(() => json({ message: 'Unauthorized' }, 401)),
      { mode: 'json' },
    );
    assert.equal(deaf.code, 'USER_OR_PASSWORD');
    assert.equal(deaf.posts.filter(({ text }) => text.includes(account.pass)).length, 3);
  });

  it('reads a no that comes with status 200', async () => {
    const noes = [
      { success: false },
      { status: 'error', message: 'no' },
      { error: 'Wrong password' },
      { errors: [{ a: 1 }] },
    ];
    for (const no of noes) {
      const site = application(({ email }) =>
        email ? json(no) : json({ email: 'missing', password: 'missing' }, 400),
      );
      const { code, posts } = await attempt(site, { mode: 'json' });
      assert.equal(code, 'USER_OR_PASSWORD', JSON.stringify(no));
      assert.equal(posts.filter(({ text }) => text.includes(account.pass)).length, 1);
    }
  });

  it('is no login where both are answered alike', async () => {
    const { code } = await attempt(
      application(() => json({ thanks: true })),
      { mode: 'json' },
    );
    assert.equal(code, 'NOT_PROVED');
  });

  it('adds the one-time code when it is asked for', async () => {
    const clock = standingClock();
    const authenticator = readAuthenticator('JBSWY3DPEHPK3PXP');
    const expected = () => authenticator && codeOf(authenticator, Math.floor(clock.now() / 30_000));
    const site = application(({ email, password, totpCode }) => {
      if (!email || !isRight(password)) return json({ email: 'or password wrong' }, 401);
      if (totpCode === undefined) return json({ mfaRequired: true, missing: ['totpCode'] }, 401);
      return totpCode === expected() ? json({ token: TOKEN }) : json({ message: 'otp is wrong' }, 401);
    });
    const { result } = await attempt(site, { mode: 'json', totpSecret: 'JBSWY3DPEHPK3PXP' }, '/', { clock });
    assert.ok('proof' in result, JSON.stringify(result));
    const without = await attempt(site, { mode: 'json' }, '/', { clock });
    assert.equal(without.code, 'ONE_TIME_CODE');
    const other = { mode: 'json', totpSecret: 'GEZDGNBVGY3TQOJQ' } as const;
    assert.match((await attempt(site, other, '/', { clock })).reason ?? '', /one-time code as "totpCode"/);
  });

  it('is what mode auto tries where there is no form and no browser', async () => {
    const site = application(({ email, password }) =>
      email && isRight(password) ? json({ token: TOKEN }) : json({}, 401),
    );
    const { result } = await attempt(site);
    assert.ok('proof' in result, JSON.stringify(result));
    assert.equal(result.mode, 'json', 'the next time the others are not tried');
    const nothing = await attempt(() => shell);
    assert.match(nothing.reason ?? '', /No login form was found/);
    const named = await attempt(() => shell, { mode: 'json' });
    assert.match(named.reason ?? '', /Give it in the instructions/);
  });

  it('says that mode browser needs one', async () => {
    const { reason, seen } = await attempt(() => shell, { mode: 'browser' });
    assert.match(reason ?? '', /install chromium/);
    assert.deepEqual(seen, []);
  });
});

describe('a token in an answer', () => {
  it('is found by its name, at any depth, the likeliest first', () => {
    const cases: [unknown, string | undefined][] = [
      [{ id_token: 'aaaaaaaaaaaa', access_token: 'bbbbbbbbbbbb' }, 'bbbbbbbbbbbb'],
      [{ user: { session: { token: 'cccccccccccc' } } }, 'cccccccccccc'],
      [{ local: { auth: JSON.stringify({ jwt: 'dddddddddddd' }) } }, 'dddddddddddd'],
      ['eeeeeeeeeeee', 'eeeeeeeeeeee'],
      [{ token: 'Bearer ffffffffffff' }, 'ffffffffffff'],
      [{ token: 'short' }, undefined],
      [{ csrf: 'gggggggggggg', name: 'hhhhhhhhhhhh' }, undefined],
      [{ token: 'has spaces in it' }, undefined],
      [undefined, undefined],
    ];
    for (const [value, expected] of cases) assert.equal(findToken(value), expected, JSON.stringify(value));
  });
});
