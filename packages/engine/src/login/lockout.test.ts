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
import { form, object, openApi, PASSWORD } from '@sortie/testing/targets/logins/kit.ts';
import { openAccount } from './account.ts';
import { createTries } from './proof/tries.ts';

const { attempt, start, toolsFor, closeAll } = createLoginSites();
afterEach(closeAll);

const MOST_REFUSED = 3;
const JSON_BODY = 'application/json';
const withPassword = ({ text, headers }: Seen) =>
  text.includes(account.pass) || (headers.authorization ?? '').startsWith('Basic ');

/** A page with a form that is never evaluated, several described logins, and common JSON endpoints. */
const manyWays =
  (reply: Reply) =>
  ({ path, method }: Seen): Reply => {
    if (path === '/openapi.json') return described;
    if (method === 'POST') return path === '/' ? { body: front } : reply;
    return path === '/' ? { body: front } : { status: 404 };
  };
const front = form('/', `<input name="username">${PASSWORD}`);
const paths = ['/api/login', '/v1/login', '/v2/sessions', '/auth/token'].map((path) => {
  const operation = { requestBody: { content: { [JSON_BODY]: object(['username', 'password']) } }, responses: {} };
  return [path, { post: operation }];
});
const described = json({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: Object.fromEntries(paths) });

describe('an account is not locked by logins that fail', () => {
  const replies: Reply[] = [
    json({ detail: 'tenant is required' }, 422),
    json({ detail: 'Bad request' }, 400),
    json({ error: 'missing field' }),
    json({ detail: 'oops' }, 500),
  ];
  for (const reply of replies) {
    it(`over all ways to log in: ${reply.status} ${reply.body}`, async () => {
      const { reason, posts } = await attempt(manyWays(reply));
      const sent = posts.filter(withPassword);
      assert.equal(sent.length, MOST_REFUSED, sent.map(({ path, text }) => `${path} ${text}`).join('\n'));
      assert.match(
        reason ?? '',
        /refused 3 logins with this account\. No other way was tried, because .* could lock it/,
      );
    });
  }

  it('but goes on where the target cannot have evaluated the password', async () => {
    for (const status of [404, 405, 415]) {
      const { reason, posts } = await attempt(manyWays(json({ detail: 'x' }, status)));
      assert.ok(posts.filter(withPassword).length > MOST_REFUSED);
      assert.doesNotMatch(reason ?? '', /could lock it/);
    }
  });

  it('over repeated logins, too', async () => {
    // The request that is told is not understood in either encoding; the form then fails, which is tried again later.
    const { server, seen } = await start(({ path, method }) => {
      if (path === '/api/login') return json({ detail: 'tenant is required' }, 422);
      return method === 'GET' ? { body: front } : { status: 500 };
    });
    const { tools } = toolsFor(server, '/', { clock: standingClock() });
    const instructions = 'POST /api/login {"user": "{user}", "password": "{pass}"}';
    const result = await openAccount({ ...account, instructions }, tools);
    assert.ok('reason' in result);
    assert.equal(seen.filter(withPassword).length, MOST_REFUSED);
  });
});

describe('a login that only the response to its form can prove', () => {
  const shown = form('/enter', `<input name="username">${PASSWORD}`);
  /** Pages look the same to everyone. */
  const site =
    (toRight: string, toWrong: string) =>
    ({ path, method, body }: Seen): Reply => {
      if (path !== '/enter' || method !== 'POST') return path === '/' ? { body: shown } : { status: 404 };
      return { body: body.get('password') === account.pass ? toRight : toWrong };
    };
  const wrongly = (seen: readonly Seen[]) =>
    seen.filter(({ path, method, text }) => path === '/enter' && method === 'POST' && !text.includes(account.pass));

  it('sends one wrong password, and the right one after it', async () => {
    const { result, posts } = await attempt(site('<p>In</p><form method="post" action="/note"></form>', shown));
    assert.ok('proof' in result, JSON.stringify(result));
    assert.equal(result.proof.by, 'LOGIN');
    assert.match(result.arrival?.response?.body.toString() ?? '', /note/);
    assert.doesNotMatch(JSON.stringify(result.arrival?.request), /password/);
    const entered = posts.filter(({ path }) => path === '/enter');
    assert.deepEqual(entered.map(withPassword), [true, false, true]);
  });

  it('sends no second wrong password in later logins', async () => {
    let isShut = false;
    const open = site('<p>In</p><form method="post" action="/note"></form>', shown);
    const { server, seen } = await start((one) => (isShut && one.method === 'POST' ? { body: shown } : open(one)));
    const opened = await openAccount(account, toolsFor(server).tools);
    assert.ok('check' in opened, JSON.stringify(opened));
    assert.equal(await opened.check(), 'IN');
    assert.equal(wrongly(seen).length, 1);
    isShut = true;
    const posts = () => seen.filter(({ method }) => method === 'POST').length;
    const before = posts();
    const presences: string[] = [];
    for (let check = 0; check < 20; check++) presences.push(await opened.check());
    assert.equal(presences.at(-1), 'GONE');
    assert.deepEqual(new Set(presences.slice(0, -1)), new Set(['IN']), 'most checks send no login');
    assert.ok(posts() - before <= 3, `${posts() - before} refused logins`);
    assert.equal(wrongly(seen).length, 1);
  });

  const welcome = '<h1>Good morning</h1><p>Your colour is turquoise.</p>';
  it('is proved by words that only the right one gets, twice', async () => {
    const failing = ({ path, method, body }: Seen): Reply =>
      path === '/enter' && method === 'POST' && body.get('password') !== account.pass
        ? { status: 500, body: 'Error' }
        : site(welcome, '')({ path, method, body } as Seen);
    for (const one of [site(welcome, shown), failing]) {
      const { result, posts } = await attempt(one);
      assert.ok('proof' in result, JSON.stringify(result));
      assert.equal(result.proof.by, 'LOGIN');
      assert.equal(wrongly(posts).length, 1);
    }
  });

  it('is not proved by words that change by themselves, or repeat the password', async () => {
    let count = 0;
    const letters = () => String.fromCharCode(97 + (count++ % 26)).repeat(4);
    const changing = (seen: Seen): Reply => site(`<p>${letters()} ${letters()} ${letters()}</p>`, shown)(seen);
    assert.equal((await attempt(changing)).code, 'NOT_PROVED');
    const repeating = (seen: Seen): Reply => {
      const said = `<p>Thanks for ${seen.body.get('password')}</p>`;
      return site(said, said)(seen);
    };
    assert.equal((await attempt(repeating)).code, 'NOT_PROVED');
  });

  it('asks for the page with the form first, as the URL of the login may have none', async () => {
    const inside = '<p>Hello</p><a href="/logout">Log out</a>';
    const { result, seen } = await attempt(({ path, method, headers }) => {
      if (path === '/enter' && method === 'POST') return { body: inside, headers: { 'set-cookie': 'sid=8f2c6a1e' } };
      if (path !== '/') return { status: 500 };
      return { body: headers.cookie?.includes('sid=8f2c6a1e') ? inside : shown };
    });
    assert.ok('proof' in result, JSON.stringify(result));
    assert.ok(!seen.some(({ path, method }) => path === '/enter' && method === 'GET'));
  });

  it('is not proved where a wrong password gets the same links and forms', async () => {
    const greeting = '<p>Thank you</p><form method="post" action="/note"></form>';
    const { code, posts } = await attempt(site(greeting, greeting));
    assert.equal(code, 'NOT_PROVED');
    assert.equal(wrongly(posts).length, 1);
  });

  it('sends no wrong password after two refused logins, because a third could lock the account', async () => {
    const tries = createTries();
    const refusing = {
      send: async (request: object) => ({ request, response: { status: 401, headers: [], body: Buffer.from('') } }),
    };
    const { sender } = tries.watch(refusing as never, account);
    for (const _ of [1, 2])
      await sender.send({ method: 'POST', url: 'http://x/', purpose: 'test', body: `p=${account.pass}` });
    assert.ok(!tries.isSpent());
    assert.equal(await tries.tryWrong(() => assert.fail('a wrong password was sent')), undefined);
    tries.succeeded();
    let sent = 0;
    await tries.tryWrong(async () => void sent++);
    assert.equal(sent, 1);
  });

  it('counts the wrong password as a refused login', async () => {
    const tries = createTries();
    await tries.tryWrong(async () => undefined);
    const refusing = {
      send: async (request: object) => ({ request, response: { status: 401, headers: [], body: Buffer.from('') } }),
    };
    const { sender } = tries.watch(refusing as never, account);
    for (const _ of [1, 2])
      await sender.send({ method: 'POST', url: 'http://x/', purpose: 'test', body: `p=${account.pass}` });
    assert.ok(tries.isSpent());
  });
});

describe('a response with status 200 is no login', () => {
  const places = openApi('/api/login', { [JSON_BODY]: object(['username', 'password']) });
  const site = (reply: Reply) => (seen: Seen) =>
    places[seen.path] ??
    (seen.path === '/api/login' && seen.method === 'POST' ? reply : json({ detail: 'Not Found' }, 404));
  const cases: [unknown, isSaid: boolean][] = [
    [{ message: 'Wrong password' }, true],
    [{ status: 'Invalid user name or password' }, true],
    [{ success: false }, false],
    [{ error: 'E-1042' }, false],
    [{ error: 17 }, false],
    [{ status: false }, false],
    [{ code: 401 }, false],
  ];
  for (const [answer, isSaid] of cases) {
    it(`that says ${JSON.stringify(answer)}`, async () => {
      const { code, reason, posts } = await attempt(site(json(answer)), { mode: 'json' });
      assert.equal(code, 'USER_OR_PASSWORD', reason);
      if (isSaid) assert.match(reason ?? '', /Check user and password/);
      else assert.doesNotMatch(reason ?? '', /Check user and password/);
      assert.equal(posts.filter(withPassword).length, 1);
    });
  }

  it('that issues a token is one, whatever else it says', async () => {
    const token = 'tk-7f3a9b2c4d5e6f708192a3b4';
    const answer = json({ token, user: { login: 'alice', valid: false, hint: 'password not found in any leak' } });
    const known = (seen: Seen) =>
      seen.path === '/v7/parcels' && seen.headers.authorization === `Bearer ${token}` ? json([{ id: 7 }]) : undefined;
    const { result } = await attempt((seen) => known(seen) ?? site(answer)(seen), { mode: 'json' });
    assert.ok('proof' in result, JSON.stringify(result));
  });

  it('of a form without a form to try again', async () => {
    for (const reply of [{ body: '<p>Wrong password.</p>' }, json({ error: 'E-1042' })]) {
      const { code, reason } = await attempt(({ method }) =>
        method === 'POST' ? reply : { body: form('/', `<input name="username">${PASSWORD}`) },
      );
      assert.equal(code, 'USER_OR_PASSWORD', reason);
    }
  });
});
