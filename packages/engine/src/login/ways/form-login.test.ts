import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { createLoginSites, type Reply, type Seen } from '@sortie/testing/targets/login-site.ts';

const { attempt, start, closeAll } = createLoginSites();
afterEach(closeAll);

const form = (inside = '', attributes = 'method="post" action="/session"') =>
  `<form ${attributes}><input name="user"><input type="password" name="pass">${inside}</form>`;
const inside = (cookie: string) => cookie.includes('sid=let-me-in');
const accepted: Reply = { status: 303, headers: { Location: '/home', 'Set-Cookie': 'sid=let-me-in; HttpOnly' } };

/** A site with its login form at one path and a single account. */
function site(at: string, page = form(), home = form('', 'method="post" action="/session"')) {
  return ({ path, method, body, cookie }: Seen): Reply => {
    if (method === 'POST') {
      const isRight = [...body.values()].includes('right-password');
      return isRight ? accepted : { status: 200, body: `Wrong password ${page}` };
    }
    if (path === '/home' || path === '/') {
      if (inside(cookie)) return { body: 'Welcome back, your orders are here' };
      return path === at ? { body: home === page ? home : page } : { body: 'A shop for everybody' };
    }
    return path === at ? { body: page } : { status: 404 };
  };
}

describe('a login by form', () => {
  it('finds the form on the page itself, and proves that it worked', async () => {
    const { result, posts, server } = await attempt(site('/'));
    assert.ok('proof' in result);
    assert.equal(result.proof.url, `${server.url}/home`);
    assert.equal(result.session.name, 'alice');
    assert.equal(posts.length, 1);
    assert.deepEqual(
      [...(posts[0]?.body ?? [])],
      [
        ['user', 'alice@shop.test'],
        ['pass', 'right-password'],
      ],
    );
  });

  it('sends the fields as JSON where the server does not read forms', async () => {
    const shop = site('/', form('', 'method="post" action="/"'));
    const { result, posts } = await attempt((one) => {
      if (one.method !== 'POST') return shop(one);
      if (one.headers['content-type'] !== 'application/json') return { status: 415 };
      const isRight = JSON.parse(one.text).pass === 'right-password';
      const headers = { 'Content-Type': 'application/json', 'Set-Cookie': 'sid=let-me-in' };
      return isRight ? { headers, body: '{"message":"Welcome"}' } : { status: 401, body: '{"error":"Wrong password"}' };
    });
    assert.ok('proof' in result);
    assert.deepEqual(JSON.parse(posts[1]?.text ?? ''), { user: 'alice@shop.test', pass: 'right-password' });
  });

  for (const status of [400, 500]) {
    it(`sends JSON as scripts of the page do, where the server returns status ${status} to a form`, async () => {
      const script = `<script>fetch('/login', { method: 'POST', body: JSON.stringify({ user, pass }) })</script>`;
      const shop = site('/', `${form('', 'method="post" action="/login"')}${script}`);
      const { result, posts } = await attempt((one) => {
        if (one.method !== 'POST') return shop(one);
        if (one.headers['content-type'] !== 'application/json') return { status };
        const isRight = JSON.parse(one.text).pass === 'right-password';
        const headers = { 'Content-Type': 'application/json', 'Set-Cookie': 'sid=let-me-in' };
        return isRight ? { headers, body: '{"message":"Welcome"}' } : { status: 401, body: '{"error":"Wrong"}' };
      });
      assert.ok('proof' in result, JSON.stringify(result));
      assert.equal(posts.length, 2);
    });
  }

  it('finds the form behind a link that says so', async () => {
    const behind = site('/door');
    const { result, seen } = await attempt((one) =>
      one.path === '/' && !inside(one.cookie)
        ? { body: '<a href="/x">Tea</a><a href="/door">Sign in</a>' }
        : behind(one),
    );
    assert.ok('proof' in result);
    assert.ok(!seen.some(({ path }) => path === '/x'));
  });

  it('finds the form at the usual addresses, though links to elsewhere are many', async () => {
    const usual = site('/users/sign_in');
    const links = Array.from({ length: 30 }, (_, n) => `<a href="/login?next=${n}">Log in</a>`).join('');
    const { result } = await attempt((one) => (one.path === '/' && !inside(one.cookie) ? { body: links } : usual(one)));
    assert.ok('proof' in result);
  });

  it('carries hidden fields, the token and cookies of the page, one button, and no box that is not ticked', async () => {
    const page = form(`<input type="hidden" name="csrf" value="t0ken"><input type="checkbox" name="stay">
      <input type="checkbox" name="terms" value="yes" checked><button name="do" value="login">Go</button><button name="do" value="forgot">F</button>`);
    const { posts, result } = await attempt((one) => {
      const reply = site('/login', page)(one);
      return one.path === '/login' ? { ...reply, headers: { 'Set-Cookie': 'pre=1; Path=/' } } : reply;
    });
    assert.ok('proof' in result);
    const sent = posts[0];
    assert.equal(sent?.body.get('csrf'), 't0ken');
    assert.deepEqual(sent?.body.getAll('do'), ['login']);
    assert.equal(sent?.body.get('stay'), null);
    assert.equal(sent?.body.get('terms'), 'yes');
    assert.match(sent?.cookie ?? '', /pre=1/);
    assert.match(sent?.headers.referer ?? '', /\/login$/);
  });

  it('guesses the field of the user', async () => {
    const fields: [string, string][] = [
      ['<input name="company_name"><input name="email">', 'email'],
      ['<input name="code"><input name="nick_name">', 'nick_name'],
      ['<input name="q1"><input name="q2">', 'q1'],
      ['<input type="hidden" name="user_token" value="1"><input type="email" name="x">', 'x'],
    ];
    for (const [html, name] of fields) {
      const page = `<form method="post" action="/session">${html}<input type="password" name="p"></form>`;
      const { posts } = await attempt(site('/', page));
      assert.equal(posts[0]?.body.get(name), 'alice@shop.test', name);
    }
  });

  it('sends nothing to a form that registers somebody', async () => {
    const two =
      '<form method="post"><input name="user"><input type="password" name="a"><input type="password" name="b"></form>';
    const one = `<form method="post" action="/register"><input name="email"><input type="password" name="p"></form>`;
    for (const page of [two, one]) {
      const { posts, reason } = await attempt(site('/', page), { mode: 'form' });
      assert.deepEqual(posts, []);
      assert.match(reason ?? '', /No login form was found/);
    }
    assert.ok('proof' in (await attempt(site('/', one + form()))).result);
  });

  it('sends no password in an address, and none without a user', async () => {
    const get = await attempt(site('/', form('', 'action="/session"')), { mode: 'form' });
    assert.match(get.reason ?? '', /sends the password in the URL/);
    const nobody = await attempt(site('/', '<form method="post"><input type="password" name="p"></form>'));
    assert.match(nobody.reason ?? '', /none for a user name/);
    for (const { seen } of [get, nobody]) assert.ok(!JSON.stringify(seen).includes('right-password'));
  });

  it('sends nothing to a form of another origin', async () => {
    const { server, seen } = await start(() => accepted);
    const page = form('', `method="post" action="${server.url}/session"`);
    const { reason } = await attempt(site('/', page));
    assert.match(reason ?? '', /not covered/);
    assert.deepEqual(seen, []);
  });

  it('does not take a form that is shown again for a success, whatever its session remembers', async () => {
    const { reason, posts } = await attempt(({ method, cookie, path }) => {
      const tried = cookie.includes('tried=');
      if (method === 'POST') return { headers: { 'Set-Cookie': 'tried=1' }, body: `Wrong password ${form()}` };
      if (path !== '/') return { status: 404 };
      return { body: tried ? `Hello again alice, two attempts are left ${form()}` : `A shop ${form()}` };
    });
    assert.match(reason ?? '', /rejected the login\. Check user and password\. It was shown again/);
    assert.equal(posts.length, 1);
  });

  it('says what status a wrong password was answered with', async () => {
    const { reason } = await attempt((one) => (one.method === 'POST' ? { status: 401 } : site('/')(one)));
    assert.match(reason ?? '', /status 401/);
  });

  it('proves nothing by a page that is the same for everybody, or that changes by itself', async () => {
    const let_in: Reply = { status: 302, headers: { Location: '/home' } };
    let count = 0;
    const words = () => Array.from({ length: 20 }, () => `w${count++}`).join(' ');
    const turns = () => (count++ % 2 === 0 ? 'This is the first server' : 'Nobody expects another answer');
    for (const text of [() => 'A shop', words, turns]) {
      const { reason } = await attempt(({ method, path }) => {
        if (method === 'POST') return let_in;
        if (path === '/login') return { body: form() };
        return path === '/home' || path === '/' ? { body: text() } : { status: 404 };
      });
      assert.match(reason ?? '', /look the same/);
    }
  });
});
