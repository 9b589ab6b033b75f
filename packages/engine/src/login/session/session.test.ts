import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { createLoginSites, type Reply, type Seen } from '@sortie/testing/targets/login-site.ts';
import { createRedactor } from '../../http/record/redactor.ts';
import { createTestScope } from '../../target/scope.ts';
import { createSession } from './session.ts';

const { start, opened, closeAll } = createLoginSites();
afterEach(closeAll);

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

  it('sends what scripts of its pages add to their requests, but once what it adds by itself', async () => {
    const { one, other: _, ...rest } = await sessions(() => ({}));
    const { origin } = new URL(one.server.url);
    const identity = { origin, headers: [['Authorization', 'Bearer new']] as const, query: [] };
    const session = createSession({ ...rest, name: 'alice', identity });
    const headers = [['authorization', 'Bearer old'] as const, ['x-user', 'alice'] as const];
    await session.load({ method: 'GET', url: `${origin}/`, headers }, origin);
    assert.equal(one.seen[0]?.headers.authorization, 'Bearer new');
    assert.equal(one.seen[0]?.headers['x-user'], 'alice');
  });

  it('keeps what scripts have stored for its pages, and lets nobody see the secrets in it', async () => {
    const { one, other: _, ...rest } = await sessions(() => ({}));
    const { origin } = new URL(one.server.url);
    const session = createSession({ ...rest, name: 'alice' });
    const local = {
      language: 'en-GB',
      user: '{"id":"0b9f3f5c-7d1e-4c55-9c64-1f0a","refreshToken":"r8-kept-by-scripts"}',
    };
    session.keepStorage({ origin, local, session: { basket: '6' } });
    assert.deepEqual(session.storage()?.session, { basket: '6' });
    assert.equal(
      rest.redactor.redact('en-GB 0b9f3f5c-7d1e-4c55-9c64-1f0a r8-kept-by-scripts'),
      'en-GB 0b9f3f5c-7d1e-4c55-9c64-1f0a [redacted]',
    );
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

  it('shows something else in the place of its tokens where it is told to, and lets nobody see either', async () => {
    const { one, ...rest } = await sessions(({ cookie }) => ({
      headers: { 'Set-Cookie': cookie === '' ? 'sid=secret-cookie' : 'sid=; Max-Age=0' },
    }));
    const { origin } = new URL(one.server.url);
    const identity = { origin, headers: [['X-Token', 'secret-token']] as const, query: [] };
    const session = createSession({ ...rest, name: 'alice', identity });
    await session.send({ method: 'GET', url: `${origin}/` });
    assert.deepEqual(await session.credentials(`${origin}/`), ['secret-token', 'secret-cookie']);
    await session.send(
      { method: 'GET', url: `${origin}/` },
      { change: (credential) => credential.replace('secret', 'another') },
    );
    assert.equal(one.seen[1]?.headers['x-token'], 'another-token');
    assert.equal(one.seen[1]?.cookie, 'sid=another-cookie');
    assert.equal(rest.redactor.redact('another-token secret-token another-cookie'), '[redacted] [redacted] [redacted]');
    // The response to altered credentials does not affect the session's cookies.
    assert.deepEqual(await session.credentials(`${origin}/`), ['secret-token', 'secret-cookie']);
  });

  it('sends from other sites what a browser sends: the cookies that allow it, and nothing that scripts add', async () => {
    const cookies = [
      'a=1; SameSite=None; Secure',
      'b=2',
      'c=3; SameSite=Lax',
      'd=4; SameSite=Strict',
      'e=5; SameSite=None',
    ];
    const { one, ...rest } = await sessions(() => ({ headers: { 'Set-Cookie': cookies } }));
    const { origin } = new URL(one.server.url);
    const identity = { origin, headers: [['Authorization', 'Bearer x']] as const, query: [['key', 'k']] as const };
    const session = createSession({ ...rest, name: 'alice', identity });
    await session.send({ method: 'GET', url: `${origin}/` });
    await session.send({ method: 'GET', url: `${origin}/` }, { isCrossSite: true });
    assert.equal(one.seen[1]?.cookie, 'a=1');
    assert.equal(one.seen[1]?.headers.authorization, undefined);
    assert.equal(one.seen[1]?.path, '/');
  });
});
