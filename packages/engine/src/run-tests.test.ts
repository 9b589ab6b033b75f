import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { titleWithoutPlace } from '@sortie/contract';
import { startTestListener } from '../../../test/support/outside.ts';
import log4shell from './active/injection/log4shell.ts';
import { at, definePointCheck, type Point, type PointCheck } from './active-check.ts';
import type { Browser } from './browser/browser.ts';
import type { PentestFinding } from './finding.ts';
import type { Exchange } from './http/exchange.ts';
import { createRedactor } from './http/redactor.ts';
import { lazily } from './lazy-browser.ts';
import type { StepContext } from './pentest-attempt.ts';
import { readState } from './pentest-state.ts';
import { planTests } from './plan-tests.ts';
import { runTests } from './run-tests.ts';

const parameters = [
  { location: 'query' as const, name: 'a', value: '1' },
  { location: 'query' as const, name: 'b', value: '2' },
];
const item: Point['item'] = {
  method: 'GET',
  url: 'http://shop.test/?a=1&b=2',
  parameters,
  seenAs: null,
  contentType: 'text/html',
};
const known = { inventory: [item], accounts: [] };

/** Proves its flaw wherever it is tried. */
function proving(id: string, more: Partial<PointCheck> = {}): PointCheck {
  return definePointCheck<unknown>({
    id,
    title: id,
    cwe: 1,
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    why: '',
    fix: '',
    references: [],
    risk: 'harmless',
    appliesTo: () => true,
    variants: [1],
    maxRequests: 4,
    proof: { plan: (point) => [at(point, 'attack', id)], judge: () => 'PROVED' },
    lab: () => ({ parameter: 'a', value: '', vulnerable: () => ({}), safe: () => ({}) }),
    ...more,
  });
}

/** Answers to everything; `state` is what earlier steps have found. */
function createContext(asked: string[], state = readState(null, 'http://shop.test/')) {
  const send = async (request: { method: string; url: string }): Promise<Exchange> => {
    asked.push(request.url);
    return {
      request: { ...request, purpose: 'test' },
      response: { status: 200, headers: [['Set-Cookie', 'sid=of-the-answer']], body: Buffer.from(''), isCut: false },
      failure: null,
      remote: null,
      firstByteMs: 1,
      durationMs: 1,
    };
  };
  const findings: PentestFinding[] = [];
  const sender = { send, requestsSent: () => asked.length, renew: () => undefined, isInDoubt: () => false };
  const order = { targetUrl: 'http://shop.test/' };
  const run = { sender, order, visitor: { send, load: send }, accounts: new Map(), redactor: createRedactor() };
  return { ...run, scope: () => undefined, state, findings } as unknown as StepContext;
}

const run = async (checks: PointCheck[], context: StepContext) => {
  for (const { jobs } of planTests(checks, known)) await runTests(jobs, known, context);
  return context.findings.map(({ title, parameter }) => `${titleWithoutPlace(title)} ${parameter}`);
};
const flaw = (rank: number) => ({ flaw: { name: 'injection', rank } });

describe('a flaw that several checks prove', () => {
  it('is found once at each place, by the first of them', async () => {
    const asked: string[] = [];
    const checks = [proving('slow', flaw(2)), proving('quick', flaw(1)), proving('other')];
    const found = await run(checks, createContext(asked));
    assert.deepEqual(found, ['other a', 'quick a', 'other b', 'quick b']);
    assert.ok(!asked.some((url) => url.includes('slow')));
  });

  it('is found by a later one where the first does not prove it', async () => {
    const silent = proving('quick', {
      ...flaw(1),
      proof: { plan: (point) => [at(point, 'attack', 'x')], judge: () => 'REFUTED' },
    });
    assert.deepEqual(await run([proving('slow', flaw(2)), silent], createContext([])), ['slow a', 'slow b']);
  });

  it('is not found again in a later step', async () => {
    const first = createContext([]);
    await run([proving('quick', flaw(1))], first);
    const state = { ...first.state, findings: first.findings.map(({ fingerprint }) => fingerprint) };
    assert.deepEqual(await run([proving('slow', flaw(2))], createContext([], state)), []);
  });

  it('has one fingerprint, however it was proved', async () => {
    const [quick, slow] = [createContext([]), createContext([])];
    await run([proving('quick', flaw(1))], quick);
    await run([proving('slow', flaw(2))], slow);
    const fingerprints = ({ findings }: StepContext) => findings.map(({ fingerprint }) => fingerprint);
    assert.deepEqual(fingerprints(quick), fingerprints(slow));
    assert.equal(new Set(fingerprints(quick)).size, 2);
  });
});

describe('a check that applies and cannot run', () => {
  const untestedOf = ({ state }: StepContext) => state.untested.map(({ check, reason }) => [check, reason]);

  it('is untested where its account is not logged in, and sends nothing', async () => {
    const asked: string[] = [];
    const context = createContext(asked);
    const seen = { inventory: [{ ...item, seenAs: 'ada' }], accounts: [] };
    for (const { jobs } of planTests([proving('one')], seen)) await runTests(jobs, seen, context);
    assert.deepEqual(untestedOf(context), [
      ['one', 'The account "ada" was logged out and could not be logged in again.'],
    ]);
    assert.deepEqual([asked, context.state.ran], [[], []]);
  });

  it('is untested where no browser starts and where no listener listens, each with its own reason', async () => {
    const context = { ...createContext([]), browser: lazily(undefined) };
    const checks = [proving('looking', { needsBrowser: true }), proving('calling', { needsOutside: true })];
    assert.deepEqual(await run(checks, context), []);
    assert.deepEqual(untestedOf(context).toSorted(), [
      ['calling', 'No listener was configured for calls from the target.'],
      ['looking', 'There was no browser.'],
    ]);
    assert.deepEqual(context.state.ran, []);
  });

  it('is untested where it needs DNS callbacks and the listener has no zone, and sends nothing', async () => {
    const { outside, close } = await startTestListener({ hasZone: false });
    const asked: string[] = [];
    const context = { ...createContext(asked), outside };
    const here = { ...known, outside };
    for (const { jobs } of planTests([log4shell], here, { depth: 'STANDARD' })) await runTests(jobs, here, context);
    await close();
    const [{ check, reason, cure } = assert.fail('log4shell counts as run'), ...others] = context.state.untested;
    assert.deepEqual([check, others, asked, context.state.ran], ['log4shell', [], [], []]);
    assert.match(reason, /DNS zone/);
    assert.match(cure, /SORTIE_LISTENER_ZONE/);
  });

  it('is untested where it breaks', async () => {
    const context = createContext([]);
    const breaking = proving('breaking', {
      probe: () => Promise.reject(new Error('a mistake of ours')),
    });
    await run([breaking], context);
    assert.deepEqual(untestedOf(context), [['breaking', 'An internal error ended the check.']]);
  });

  it('runs once more when the browser crashes, and is untested when it crashes then, too', async () => {
    let crashes = 1;
    const visits: number[] = [];
    const start = async () => {
      let isOpen = true;
      const visit = async () => {
        visits.push(crashes);
        isOpen = crashes-- <= 0;
      };
      return { visit, isOpen: () => isOpen, close: async () => undefined } as unknown as Browser;
    };
    const looking = proving('looking', {
      needsBrowser: true,
      locations: ['query'],
      appliesTo: (point) => point.parameter.name === 'a',
      proof: { plan: (point) => [at(point, 'attack', 'x', { inBrowser: true })], judge: () => 'REFUTED' },
    });
    const context = { ...createContext([]), browser: lazily(start, 1) };
    await run([looking], context);
    assert.deepEqual([visits, untestedOf(context)], [[1, 0], []]);
    crashes = 9;
    await run([looking], context);
    assert.deepEqual(untestedOf(context), [['looking', 'Pages of the target made the browser crash repeatedly.']]);
  });
});

describe('a request in a new session', () => {
  it('leaves nothing behind for those that come after it', async () => {
    const sent: string[] = [];
    const context = createContext([]);
    const { send } = context.sender;
    context.sender.send = async (request) => {
      sent.push(JSON.stringify(request.headers ?? []));
      return send(request);
    };
    const stranger = (point: Point, label: string) => at(point, label, 'x', { isNewVisitor: true });
    const proof: PointCheck['proof'] = {
      plan: (point) => [stranger(point, 'one'), stranger(point, 'two')],
      judge: () => 'REFUTED',
    };
    await run([proving('login', { proof })], context);
    assert.equal(sent.length, 4);
    assert.ok(!sent.join().includes('of-the-answer'));
  });
});

describe('a target that did not answer last', () => {
  it('is asked until it answers, before what was found is taken for all', async () => {
    const asked: string[] = [];
    const context = createContext(asked);
    let failures = 3;
    context.sender.isInDoubt = () => failures-- > 0;
    await run([proving('quick')], context);
    assert.deepEqual(asked.slice(-3), ['http://shop.test/', 'http://shop.test/', 'http://shop.test/']);
    assert.ok(asked.slice(0, -3).every((url) => url !== 'http://shop.test/'));
  });
});
