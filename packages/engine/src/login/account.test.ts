import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { account, createLoginSites, type Reply, type Seen } from '@sortie/testing/targets/login-site.ts';
import type { EngineCredential } from '../protocol/messages.ts';
import { type Account, openAccount } from './account.ts';
import { createTrials } from './trials.ts';

const { start, toolsFor, closeAll } = createLoginSites();
afterEach(closeAll);

const FORM = '<form method="post" action="/login"><input name="user"><input type="password" name="pass"></form>';

const linksTo = (names: readonly string[]) => names.map((name) => `<a href="/${name}">Tea</a>`).join('');

/** A shop whose sessions can be ended or switched to another language, and whose password can be changed. */
async function shop(changes: Partial<EngineCredential> = {}) {
  let sessions = 0;
  const alive = new Set<string>();
  const german = new Set<string>();
  const state = {
    pass: account.pass,
    failures: 0,
    busy: 0,
    news: '',
    isGermanForAll: false,
    links: linksTo(['x', 'y', 'z']),
  };
  const answer = ({ path, method, body, cookie, headers }: Seen): Reply => {
    if (state.failures > 0 && state.failures--) return { status: 503, headers: { 'Retry-After': '0' } };
    if (method === 'POST' && path === '/login') {
      if (state.busy > 0 && state.busy--) return { status: 500 };
      if (body.get('pass') !== state.pass) return { body: `Wrong password ${FORM}` };
      alive.add(`sid=session-${++sessions}`);
      return { status: 303, headers: { Location: '/orders', 'Set-Cookie': `sid=session-${sessions}; Path=/` } };
    }
    if (path === '/login') return { body: FORM };
    const isIn = alive.has(cookie) || (headers['x-key'] !== undefined && headers['x-key'] === state.pass);
    if (path === '/always-closed') return { status: 401 };
    if (path === '/lose') alive.delete(cookie);
    if (path === '/terrace') german.add(cookie);
    const language = state.isGermanForAll || german.has(cookie) ? 'de' : 'en';
    if (path === '/silent') return { body: 'the same for everybody' };
    if (path === '/') return { body: isIn ? `Hello ${state.news} customer, here is your account` : 'A shop' };
    return isIn
      ? { body: `<html lang="${language}">Your page ${path} ${state.news} ${state.links}` }
      : { status: 302, headers: { Location: '/login?next=/' } };
  };
  const { server, seen } = await start(answer);
  const { tools } = toolsFor(server);
  const opened = await openAccount({ ...account, ...changes }, tools);
  const get = (path: string) => ({ method: 'GET', url: server.url + path });
  const logins = () => seen.filter(({ method }) => method === 'POST').length;
  return { opened, state, seen, logins, get, endAll: () => alive.clear() };
}

function theAccount(opened: Awaited<ReturnType<typeof shop>>['opened']): Account {
  assert.ok('session' in opened, JSON.stringify(opened));
  return opened;
}

describe('an account that is logged in', () => {
  it('needs a check after many requests, or one that looks like a lost session', async () => {
    const { opened, get } = await shop();
    const alice = theAccount(opened);
    assert.ok(!alice.needsCheck());
    for (let count = 0; count < 50; count++) await alice.session.send(get('/silent'));
    assert.ok(alice.needsCheck());
    assert.equal(await alice.check(), 'IN');
    await alice.session.send(get('/always-closed'));
    assert.ok(alice.needsCheck());
    assert.equal(await alice.check(), 'IN');
    await alice.session.send(get('/always-closed'));
    assert.ok(!alice.needsCheck(), 'what was harmless once is harmless again');
  });

  it('logs in again when its session has ended, and is the same account as before', async () => {
    const { opened, endAll, get, logins } = await shop();
    const alice = theAccount(opened);
    endAll();
    assert.equal((await alice.session.send(get('/orders'))).response?.status, 302);
    assert.ok(alice.needsCheck());
    assert.equal(await alice.check(), 'BACK');
    assert.equal((await alice.session.send(get('/orders'))).response?.status, 200);
    assert.equal(await alice.check(), 'IN');
    assert.equal(logins(), 2);
  });

  it('is still logged in though its page has changed, or did not answer just now', async () => {
    const { opened, state, logins } = await shop();
    const alice = theAccount(opened);
    state.news = 'with three new letters';
    assert.equal(await alice.check(), 'IN');
    state.failures = 1;
    assert.equal(await alice.check(), 'IN');
    assert.equal(logins(), 1);
  });

  it('logs in again when the mode of its session was switched, and says how', async () => {
    const { opened, get, logins } = await shop();
    const alice = theAccount(opened);
    await alice.session.send(get('/terrace'));
    assert.match((await alice.session.send(get('/orders'))).response?.body.toString() ?? '', /lang="de"/);
    assert.deepEqual([await alice.check(), alice.switched()], ['BACK', 'language from en to de']);
    assert.match((await alice.session.send(get('/orders'))).response?.body.toString() ?? '', /lang="en"/);
    assert.deepEqual([await alice.check(), alice.switched(), alice.kept(), logins()], ['IN', undefined, [], 2]);
  });

  it('keeps a mode that new sessions have as well, says so, and tries no more than three times', async () => {
    const { opened, state, logins } = await shop();
    const alice = theAccount(opened);
    for (const isGermanForAll of [true, true, false, true, false, true]) {
      state.isGermanForAll = isGermanForAll;
      assert.equal(await alice.check(), 'IN');
    }
    assert.deepEqual(alice.kept(), ['language from en to de', 'language from de to en', 'language from en to de']);
    assert.equal(logins(), 4);
  });

  it('takes other links for other content where new sessions have them as well', async () => {
    const { opened, state, logins } = await shop();
    const alice = theAccount(opened);
    for (const names of [
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
      ['g', 'h', 'i'],
    ]) {
      state.links = linksTo(names);
      assert.equal(await alice.check(), 'IN');
    }
    assert.deepEqual([alice.kept(), logins()], [[], 4]);
  });

  it('does not try a password twice that was refused', async () => {
    const { opened, state, endAll, logins, get } = await shop();
    const alice = theAccount(opened);
    state.pass = 'changed meanwhile';
    endAll();
    assert.equal(await alice.check(), 'GONE');
    assert.equal(await alice.check(), 'GONE');
    assert.equal(alice.failure()?.code, 'VANISHED');
    await alice.session.send(get('/orders'));
    assert.ok(!alice.needsCheck());
    assert.equal(logins(), 2);
  });

  it('tries again when the target did not look at the password, three times at most', async () => {
    const { opened, state, endAll, logins } = await shop();
    const alice = theAccount(opened);
    endAll();
    state.busy = 2;
    assert.equal(await alice.check(), 'BACK');
    assert.equal(logins(), 4);
    endAll();
    state.busy = 100;
    assert.equal(await alice.check(), 'GONE');
    assert.equal(alice.failure()?.code, 'NO_ANSWER');
    assert.equal(logins(), 7);
  });

  it('gives up an account that is logged out again and again', async () => {
    const { opened, endAll, logins } = await shop();
    const alice = theAccount(opened);
    const seen: string[] = [];
    for (let count = 0; count < 12; count++) {
      endAll();
      seen.push(await alice.check());
    }
    assert.deepEqual(seen, [...Array.from({ length: 9 }, () => 'BACK'), 'GONE', 'GONE', 'GONE']);
    assert.match(alice.failure()?.reason ?? '', /logged out 10 times/);
    assert.equal(logins(), 10);
  });

  it('is gone for good where there is nothing to log in with', async () => {
    const { opened, state } = await shop({ kind: 'API_KEY', user: 'X-Key' });
    const alice = theAccount(opened);
    state.pass = 'another key';
    assert.equal(await alice.check(), 'GONE');
    assert.match(alice.failure()?.reason ?? '', /stopped accepting it/);
  });
});

describe('what is tried as an account', () => {
  async function trials(changes: Partial<EngineCredential> = {}) {
    const scene = await shop(changes);
    const alice = theAccount(scene.opened);
    const kept: string[] = [];
    const leftOut: string[] = [];
    const runs: string[] = [];
    const { run, finish, pending } = createTrials<string, string>(async (path) => {
      runs.push(path);
      const { response } = await alice.session.send(scene.get(path));
      return `${path} ${response?.status}`;
    });
    async function keep(settled: ReturnType<typeof finish>) {
      for await (const { job, outcome } of settled) {
        if (outcome === undefined) leftOut.push(job);
        else kept.push(outcome);
      }
    }
    const tried = {
      run: (...given: Parameters<typeof run>) => keep(run(...given)),
      finish: () => keep(finish()),
      pending,
    };
    return { ...scene, alice, tried, kept, leftOut, runs };
  }

  it('counts once it is certain that it was logged in to the end', async () => {
    const { tried, alice, kept } = await trials();
    await tried.run(alice, '/a');
    assert.deepEqual(kept, []);
    assert.deepEqual(tried.pending(), ['/a 200']);
    await tried.finish();
    assert.deepEqual(kept, ['/a 200']);
    assert.deepEqual(tried.pending(), []);
  });

  it('is void and repeated when the session has ended in between', async () => {
    const { tried, alice, kept, leftOut, runs, endAll, logins } = await trials();
    await tried.run(alice, '/a');
    endAll();
    await tried.run(alice, '/silent');
    await tried.run(alice, '/b');
    assert.deepEqual(kept, ['/a 200', '/silent 200', '/b 200']);
    assert.deepEqual(runs, ['/a', '/silent', '/b', '/a', '/silent', '/b']);
    assert.deepEqual(leftOut, []);
    assert.equal(logins(), 2);
  });

  it('is left out when it ends the session each time, and the others are not', async () => {
    const { tried, alice, kept, leftOut } = await trials();
    for (const path of ['/a', '/lose', '/b']) await tried.run(alice, path);
    await tried.finish();
    assert.deepEqual(leftOut, ['/lose']);
    assert.deepEqual(kept, ['/a 200', '/b 200']);
  });

  it('is left out when the account is gone, and nothing more is sent as it', async () => {
    const { tried, alice, kept, leftOut, runs, state, endAll } = await trials();
    await tried.run(alice, '/silent');
    state.pass = 'changed meanwhile';
    endAll();
    await tried.run(alice, '/a');
    await tried.run(alice, '/b');
    await tried.finish();
    assert.deepEqual(kept, []);
    assert.deepEqual(leftOut, ['/silent', '/a', '/b']);
    assert.deepEqual(runs, ['/silent', '/a']);
  });
});
