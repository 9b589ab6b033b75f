import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Pentest } from '@sortie/contract';
import { defaultCatalogue } from '@sortie/server';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import { allowing, createRealStarter, startReal, withWorker } from '@sortie/testing/real-runs/real-run.ts';
import { type Answering, escapeHtml, type RealTarget, startRealTarget } from '@sortie/testing/real-runs/targets.ts';
import { assertStatements, levels } from '@sortie/testing/world/run-statements.ts';
import { inspect, type Run, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

/** So many that they are used up while a browser loads a page. */
const FEW_REQUESTS = 100;

/** A page that runs scripts from its link, full of pictures. */
function createAlbum(onAttack: () => void): Answering {
  const pictures = Array.from({ length: 30 }, (_, number) => `<img src="/picture${number}.png">`).join('');
  return ({ url: { pathname, searchParams } }) => {
    const q = searchParams.get('q') ?? '';
    if (pathname !== '/' && pathname !== '/album') return undefined;
    if (q.includes('onerror')) onAttack();
    return { body: `<title>Album</title><a href="/album?q=cats">Cats</a><p>${q}</p>${pictures}` };
  };
}

/** Knows one account: its user is a word of our own messages, its password the number of the port. */
const bank: Answering = ({ method, url: { pathname, searchParams }, headers, body }) => {
  const given = new URLSearchParams(body);
  if (method === 'POST' && given.get('user') === 'query' && given.get('pass') === headers.host?.split(':')[1]) {
    return { status: 303, headers: { location: '/', 'set-cookie': 'visitor=known-customer; Path=/' } };
  }
  const form = '<form method="post" action="/login"><input name="user"><input name="pass" type="password"></form>';
  if (pathname === '/login') return { body: form };
  if (pathname === '/find') return { body: `<p>Nothing about ${escapeHtml(searchParams.get('words') ?? '')}` };
  const isKnown = headers.cookie?.includes('visitor=known-customer');
  const words = isKnown ? 'Welcome back, dear customer, here is all that you keep with us' : 'Who are you';
  const links = '<a href="/login">Log in</a> <a href="/find?words=gold">Find</a>';
  return pathname === '/' ? { body: `<p>${words}</p>${links}` } : undefined;
};

/** Keeps what it knows in its pages, as some frameworks do. */
const forgetful: Answering = ({ url: { pathname } }) => {
  const state = `<input type="hidden" name="kept" value="${'0123456789abcdef'.repeat(75_000)}">`;
  const form = `<form method="post" action="/comment">${state}<input name="comment"></form>`;
  return pathname === '/' ? { body: `<title>Guest book</title>${form}` } : undefined;
};

let world: World;
let folder: string;
const targets: Record<'leaving' | 'staying' | 'bank' | 'forgetful', RealTarget> = {} as typeof targets;
const runs: Run[] = [];

before(async () => {
  // The page has arrived; nothing that it shows can be loaded any more.
  targets.leaving = await startRealTarget(createAlbum(() => setTimeout(() => void targets.leaving.close(), 5)));
  targets.staying = await startRealTarget(createAlbum(() => undefined));
  targets.bank = await startRealTarget(bank);
  targets.forgetful = await startRealTarget(forgetful);
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-test-'));
  const catalogue = path.join(folder, 'catalogue.json');
  const STANDARD = { ...defaultCatalogue.levels.STANDARD, maxRequests: FEW_REQUESTS };
  await writeFile(catalogue, JSON.stringify({ levels: { STANDARD } }));
  const env = {
    ...allowing(...Object.values(targets).map(({ port }) => port)),
    SORTIE_CATALOGUE: catalogue,
    SORTIE_PENTEST_SLOTS: '4',
  };
  world = await createWorld({ env, flags: withWorker });
});
after(async () => {
  await world.end();
  await Promise.all(Object.values(targets).map((target) => target.close()));
  await rm(folder, { recursive: true, force: true });
});

/** A run waits half a minute for a target that has gone away, more on a busy machine. */
const WITHIN_MS = 240_000;

interface Ended {
  pentest: Pentest;
  summary: string;
}

/** In one attempt: nothing that a target does may break an engine. */
async function play({ url }: RealTarget, options: Parameters<typeof startReal>[2] = {}): Promise<Ended> {
  const run = await startReal(world, await createRealStarter(world, `${url}/`), options);
  runs.push(run);
  const pentest = await waitUntilOver(world, run, WITHIN_MS);
  const { summary, lease } = await inspect(world, run);
  assert.equal(lease.epoch, 2, `one attempt, and the end of it: ${pentest.status}, ${summary}`);
  return { pentest, summary: String(summary) };
}

describe('a run ends in order', { concurrency: 4 }, () => {
  it('when its target goes away while the browser loads a page: CANCELLED', async () => {
    const { pentest, summary } = await play(targets.leaving);
    assert.equal(pentest.status, 'CANCELLED', summary);
    assert.match(summary, /is no longer reachable/);
    assert.equal(pentest.credits.state, 'CHARGED');
  });

  it('when its requests are used up while the browser loads a page: COMPLETED, and it says so', async () => {
    const { pentest, summary } = await play(targets.staying, { depth: 'STANDARD' });
    assert.equal(pentest.status, 'COMPLETED', summary);
    assert.match(summary, /The remaining tests were skipped/);
    assert.ok(targets.staying.visits.length <= FEW_REQUESTS, `${targets.staying.visits.length} requests`);
  });

  it('when a password is the number of a port, and a user a word of our own messages: COMPLETED', async () => {
    const account = { name: 'odd', kind: 'FORM_LOGIN' as const, user: 'query', pass: String(targets.bank.port) };
    const { pentest, summary } = await play(targets.bank, { credentials: [account] });
    assert.equal(pentest.status, 'COMPLETED', summary);
  });

  it('when a form has a hidden field of a megabyte: COMPLETED', async () => {
    const { pentest, summary } = await play(targets.forgetful);
    assert.equal(pentest.status, 'COMPLETED', summary);
  });
});

describe('after all of that,', () => {
  it('every run costs what its work does by the formula', async () => {
    const STANDARD = { ...levels.STANDARD, requests: FEW_REQUESTS };
    await assertStatements(world, runs, { ...levels, STANDARD });
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
