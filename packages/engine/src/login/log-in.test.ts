import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { afterEach, describe, it } from 'node:test';
import { startWebServer, type TargetServer } from '../../../../test/support/target-servers.ts';
import { testSender } from '../../../../test/support/test-sender.ts';
import { createRedactor } from '../http/redactor.ts';
import type { Sender } from '../http/sender.ts';
import type { EngineCredential } from '../messages.ts';
import { createTestScope } from '../target/scope.ts';
import { logIn } from './log-in.ts';
import { createSession } from './session.ts';

interface Seen {
  path: string;
  method: string;
  body: URLSearchParams;
  cookie: string;
  headers: IncomingMessage['headers'];
}
interface Reply {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string;
}

const account: EngineCredential = {
  name: 'alice',
  kind: 'FORM_LOGIN',
  mode: 'auto',
  location: 'header',
  user: 'alice@shop.test',
  pass: 'right-password',
  totpSecret: null,
  instructions: null,
  tokenUrl: null,
  scope: null,
  audience: null,
};

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function start(answer: (seen: Seen) => Reply): Promise<{ server: TargetServer; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = await startWebServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { url = '', method = '', headers } = request;
    const one = { path: url, method, body: new URLSearchParams(body), cookie: headers.cookie ?? '', headers };
    seen.push(one);
    const { status = 200, headers: answered, body: text = '' } = answer(one);
    response.writeHead(status, { 'Content-Type': 'text/html', ...answered }).end(text);
  });
  opened.push(server);
  return { server, seen };
}

async function attempt(answer: (seen: Seen) => Reply, changes: Partial<EngineCredential> = {}, path = '/') {
  const { server, seen } = await start(answer);
  const scope = createTestScope({ coveredName: null, coveredOrigin: server.url, excludedPaths: [], tokenUrls: [] });
  const sender: Sender = testSender({ scope });
  opened.push(sender);
  const redactor = createRedactor();
  const visitor = createSession({ sender, scope, redactor, name: null });
  const options = { sender, scope, redactor, visitor, targetUrl: server.url + path };
  const result = await logIn({ ...account, ...changes }, options);
  const posts = seen.filter(({ method }) => method === 'POST');
  return { result, posts, seen, server, redactor, reason: 'reason' in result ? result.reason : undefined };
}

const form = (inside = '', attributes = 'method="post" action="/session"') =>
  `<form ${attributes}><input name="user"><input type="password" name="pass">${inside}</form>`;
const inside = (cookie: string) => cookie.includes('sid=let-me-in');
const accepted: Reply = { status: 303, headers: { Location: '/home', 'Set-Cookie': 'sid=let-me-in; HttpOnly' } };

/** A site whose form is at one place, and that knows one account. */
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
      const { posts, reason } = await attempt(site('/', page));
      assert.deepEqual(posts, []);
      assert.match(reason ?? '', /No login form was found/);
    }
    assert.ok('proof' in (await attempt(site('/', one + form()))).result);
  });

  it('sends no password in an address, and none without a user', async () => {
    const get = await attempt(site('/', form('', 'action="/session"')));
    assert.match(get.reason ?? '', /sends the password in the address/);
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
    assert.match(reason ?? '', /shown again.*Check user and password/);
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

  it('says before anything is sent what it cannot do', async () => {
    const cannot = [
      { mode: 'json' },
      { mode: 'browser' },
      { totpSecret: 'ABC' },
      { tokenUrl: 'https://a.test' },
    ] as const;
    for (const changes of cannot) {
      const { reason, seen } = await attempt(site('/'), changes);
      assert.match(reason ?? '', /not supported yet/);
      assert.deepEqual(seen, []);
    }
  });
});

describe('a login without a form', () => {
  const kinds: [string, Partial<EngineCredential>, (seen: Seen) => boolean][] = [
    [
      'by basic authentication',
      { kind: 'BASIC_AUTH', user: 'al:ice', pass: 'pä:ss' },
      ({ headers }) => headers.authorization === `Basic ${Buffer.from('al:ice:pä:ss').toString('base64')}`,
    ],
    ['by token', { kind: 'BEARER_TOKEN', pass: 'tok-en' }, ({ headers }) => headers.authorization === 'Bearer tok-en'],
    ['by cookie', { kind: 'COOKIE', user: 'sid', pass: 'c00kie' }, ({ cookie }) => cookie === 'sid=c00kie'],
    [
      'by key in a header',
      { kind: 'API_KEY', user: 'X-Key', pass: 'k3y!' },
      ({ headers }) => headers['x-key'] === 'k3y!',
    ],
    [
      'by key in the query',
      { kind: 'API_KEY', location: 'query', user: 'api key', pass: 'k3&y' },
      ({ path }) => new URL(path, 'http://x').searchParams.get('api key') === 'k3&y',
    ],
  ];
  for (const [name, changes, isKnown] of kinds) {
    it(`${name} is proved by what only the account sees`, async () => {
      const know = (seen: Seen): Reply => (isKnown(seen) ? { body: 'Your orders are here' } : { status: 401 });
      const { result } = await attempt(know, changes, '/?a=1');
      assert.ok('proof' in result, JSON.stringify(result));
      const wrong = await attempt(know, { ...changes, pass: 'wrong' }, '/?a=1');
      assert.match(wrong.reason ?? '', /look the same/);
    });
  }

  it('is not proved by a page that repeats its own address', async () => {
    const echo = ({ path }: Seen): Reply => ({ body: `You are at ${new URL(path, 'http://x').search}` });
    const { reason } = await attempt(echo, { kind: 'API_KEY', location: 'query', user: 'key', pass: 'wrong-key' });
    assert.match(reason ?? '', /look the same/);
  });
});

describe('a session', () => {
  async function sessions(answer: (seen: Seen) => Reply) {
    const one = await start(answer);
    const other = await start(answer);
    const scope = createTestScope({ coveredName: '127.0.0.1', coveredOrigin: null, excludedPaths: [], tokenUrls: [] });
    const sender = testSender({ scope });
    opened.push(sender);
    return { one, other, scope, sender, redactor: createRedactor() };
  }

  it('sends one Cookie header, in which what the target has set takes the place of what the account came with', async () => {
    const { one, ...rest } = await sessions(() => ({ headers: { 'Set-Cookie': ['sid=renewed-value', 'b=2'] } }));
    const { origin } = new URL(one.server.url);
    const identity = { origin, headers: [['Cookie', 'sid=first; a=1']] as const, query: [] };
    const session = createSession({ ...rest, name: 'alice', identity });
    await session.send({ method: 'GET', url: one.server.url });
    await session.send({ method: 'GET', url: `${one.server.url}/`, headers: [['cookie', 'c=3']] });
    assert.deepEqual(
      one.seen.map(({ cookie }) => cookie),
      ['sid=first; a=1', 'sid=renewed-value; a=1; b=2; c=3'],
    );
    assert.equal(rest.redactor.redact('renewed-value'), '[redacted]');
  });

  it('gives no cookie to a host that did not set it, and none of its own to what is not covered', async () => {
    const { one, other, redactor, sender } = await sessions(() => ({ headers: { 'Set-Cookie': 'sid=secret-value' } }));
    const scope = createTestScope({
      coveredName: null,
      coveredOrigin: one.server.url,
      excludedPaths: [],
      tokenUrls: [],
    });
    const { origin } = new URL(one.server.url);
    const identity = { origin, headers: [['Authorization', 'Bearer x']] as const, query: [['key', 'k']] as const };
    const session = createSession({ sender, scope, redactor, name: 'alice', identity });
    await session.load({ method: 'GET', url: `${one.server.url}/` }, one.server.url);
    await session.load({ method: 'GET', url: `${other.server.url}/` }, one.server.url);
    assert.equal(one.seen[0]?.headers.authorization, 'Bearer x');
    assert.equal(other.seen[0]?.cookie, '');
    assert.equal(other.seen[0]?.headers.authorization, undefined);
    assert.equal(other.seen[0]?.path, '/');
  });

  it('asks as nobody for a page that is framed from elsewhere, and lets no page write to other hosts', async () => {
    const { one, other, redactor } = await sessions(() => ({ headers: { 'Set-Cookie': 'sid=secret-value' } }));
    const origin = one.server.url;
    const scope = createTestScope({ coveredName: null, coveredOrigin: origin, excludedPaths: [], tokenUrls: [] });
    const sender = testSender({ scope });
    opened.push(sender);
    const identity = { origin, headers: [['Authorization', 'Bearer x']] as const, query: [] };
    const session = createSession({ sender, scope, redactor, name: 'alice', identity });
    await session.send({ method: 'GET', url: `${origin}/` });
    await session.load({ method: 'GET', url: `${origin}/account` }, `${other.server.url}/frame`);
    assert.equal(one.seen[1]?.headers.authorization, undefined);
    assert.equal(one.seen[1]?.cookie, '');
    const { failure } = await session.load({ method: 'POST', url: `${other.server.url}/`, body: 'x' }, origin);
    assert.equal(failure?.code, 'REFUSED');
    assert.deepEqual(other.seen, []);
  });

  it('sends what proves the account to one origin only, not to others that are covered too', async () => {
    const { one, other, ...rest } = await sessions(() => ({}));
    const identity = { origin: one.server.url, headers: [['Authorization', 'Bearer x']] as const, query: [] };
    const session = createSession({ ...rest, name: 'alice', identity });
    await session.send({ method: 'GET', url: `${other.server.url}/` });
    assert.equal(other.seen[0]?.headers.authorization, undefined);
  });

  it('adds its key before a fragment, which is never sent', async () => {
    const { one, other: _, ...rest } = await sessions(() => ({}));
    const identity = { origin: one.server.url, headers: [], query: [['k', 'v']] as const };
    const session = createSession({ ...rest, name: 'alice', identity });
    await session.send({ method: 'GET', url: `${one.server.url}/a?b=1#top` });
    assert.equal(one.seen[0]?.path, '/a?b=1&k=v');
  });
});
