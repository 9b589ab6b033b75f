import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { createLoginSites, json, type Reply, type Seen } from '@sortie/testing/targets/login-site.ts';
import type { EngineCredential } from '../protocol/messages.ts';

const { attempt, closeAll } = createLoginSites();
afterEach(closeAll);

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
      assert.match(wrong.reason ?? '', changes.kind === 'BASIC_AUTH' ? /status 401\. Check user/ : /look the same/);
    });
  }

  it('is not proved by a page that repeats its own address', async () => {
    const echo = ({ path }: Seen): Reply => ({ body: `You are at ${new URL(path, 'http://x').search}` });
    const { reason } = await attempt(echo, { kind: 'API_KEY', location: 'query', user: 'key', pass: 'wrong-key' });
    assert.match(reason ?? '', /look the same/);
  });

  it('is proved by the folder that asks for basic authentication, which robots.txt names', async () => {
    const site = ({ path, headers }: Seen): Reply => {
      if (path === '/robots.txt') return { headers: { 'Content-Type': 'text/plain' }, body: 'Disallow: /intern/' };
      if (path !== '/intern/') return { body: 'A shop' };
      const isKnown = headers.authorization?.startsWith('Basic ') ?? false;
      return isKnown ? { body: 'Your orders' } : { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="x"' } };
    };
    const { result, server } = await attempt(site, { kind: 'BASIC_AUTH' });
    assert.ok('proof' in result, JSON.stringify(result));
    assert.equal(result.proof.url, `${server.url}/intern/`);
  });

  it('shows a wrong password to the target once', async () => {
    const { seen } = await attempt(() => ({ status: 401 }), { kind: 'BASIC_AUTH' });
    assert.equal(seen.filter(({ headers }) => headers.authorization !== undefined).length, 1);
  });

  it('is proved at the usual addresses of accounts where the target itself tells nothing', async () => {
    const { result, server } = await attempt(
      ({ path, headers }) => {
        if (path !== '/api/me') return { body: '<div id="app"></div>' };
        return headers['x-key'] === 'k3y!' ? json({ id: 7, plan: 'gold' }) : json({ message: 'Who are you?' }, 401);
      },
      { kind: 'API_KEY', user: 'X-Key', pass: 'k3y!' },
    );
    assert.ok('proof' in result);
    assert.equal(result.proof.url, `${server.url}/api/me`);
  });

  it('is not proved by an answer that any wrong key gets', async () => {
    const { code, reason, seen } = await attempt(
      ({ headers }) => json({ error: headers['x-key'] === undefined ? 'A key is missing' : 'This key is wrong' }),
      { kind: 'API_KEY', user: 'X-Key', pass: 'abc-123-XYZ' },
    );
    assert.equal(code, 'USER_OR_PASSWORD');
    assert.match(reason ?? '', /as to an invalid one/);
    const keys = new Set(seen.flatMap(({ headers }) => headers['x-key'] ?? []));
    assert.equal(keys.size, 2);
    for (const key of keys) assert.match(key, /^[a-z]{3}-\d{3}-[A-Z]{3}$/);
  });

  it('is told from a visitor by a greeting on a long page, and on one that changes by itself', async () => {
    const long = Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(' ');
    let count = 0;
    const changing = () => Array.from({ length: 50 }, () => `w${count++}`).join(' ');
    for (const text of [() => long, changing]) {
      const { result } = await attempt(
        ({ headers }) => {
          const isKnown = headers.authorization === 'Bearer token-of-alice';
          return { body: `${isKnown ? '<a href="/logout">Log out</a>' : '<a href="/login">Log in</a>'} ${text()}` };
        },
        { kind: 'BEARER_TOKEN', pass: 'token-of-alice' },
      );
      assert.ok('proof' in result, JSON.stringify(result));
      assert.equal(result.proof.by, 'GREETING');
    }
  });

  it('is told from a visitor by the status where all texts change by themselves', async () => {
    let count = 0;
    const changing = () => Array.from({ length: 50 }, () => `w${count++}`);
    const site = ({ headers }: Seen) =>
      headers['x-key'] === 'abc-123' ? json(changing()) : json({ error: changing() }, 400);
    const key = { kind: 'API_KEY', user: 'X-Key', pass: 'abc-123' } as const;
    const { result } = await attempt(site, key);
    assert.ok('proof' in result, JSON.stringify(result));
    assert.equal(result.proof.by, 'STATUS');
    const open = await attempt(({ headers }) => (headers['x-key'] ? json(changing()) : json(changing(), 400)), key);
    assert.equal(open.code, 'USER_OR_PASSWORD', 'any key is let in');
  });

  it('says before anything is sent what cannot work', async () => {
    const ended = Buffer.from(JSON.stringify({ exp: 1_500_000_000 })).toString('base64url');
    const cases: [Partial<EngineCredential>, RegExp][] = [
      [{ kind: 'BEARER_TOKEN', pass: `e30.${ended}.c2ln` }, /expired at 2017-07-14/],
      [{ kind: 'BEARER_TOKEN', pass: 'line\nbreak' }, /not allowed in a header/],
      [{ kind: 'API_KEY', user: 'X Key' }, /must be the name of a header/],
      [{ kind: 'COOKIE', user: 'a;b' }, /must be the name of a cookie/],
    ];
    for (const [changes, expected] of cases) {
      const { code, reason, seen } = await attempt(() => ({}), changes);
      assert.equal(code, 'NOT_POSSIBLE');
      assert.match(reason ?? '', expected);
      assert.deepEqual(seen, []);
    }
  });
});
