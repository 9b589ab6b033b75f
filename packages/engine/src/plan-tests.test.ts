import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Depth } from '@sortie/contract';
import { definePointCheck, defineRequestCheck, defineSiteCheck, type Known, type Point } from './active-check.ts';
import { type InventoryItem, parametersOf } from './crawl/inventory.ts';
import type { PentestFinding } from './finding.ts';
import { createRedactor } from './http/redactor.ts';
import { maskFinding, maskInventory, maskState } from './mask.ts';
import { type PentestState, readState, writeState } from './pentest-state.ts';
import { summarise } from './pentest-summary.ts';
import { digestOf } from './plan-digest.ts';
import { planTests } from './plan-tests.ts';

const cvss = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N';
const textsOf = (id: string) => ({ id, title: id, cwe: 1, cvss, why: '', fix: '', references: [] });

const checkOf = (id: string, maxRequests: number, isFor = (_name: string) => true) =>
  definePointCheck<unknown>({
    ...textsOf(id),
    risk: 'harmless',
    appliesTo: ({ parameter }) => isFor(parameter.name),
    variants: [1],
    maxRequests,
    proof: { plan: () => [], judge: () => 'VOID' },
    lab: () => ({ parameter: 'q', value: '', vulnerable: () => ({}), safe: () => ({}) }),
  });

const itemOf = (path: string, contentType = 'text/html'): InventoryItem => {
  const url = `http://shop.test${path}`;
  return { method: 'GET', url, parameters: parametersOf(url), seenAs: null, contentType };
};
const many = (count: number) => Array.from({ length: count }, (_, n) => itemOf(`/p${n}x?a=1`));
const knowing = (inventory: InventoryItem[]): Known => ({ inventory, accounts: [] });
const state = (changes: Partial<PentestState> = {}): PentestState => ({
  ...readState(null, 'http://shop.test/'),
  ...changes,
});

describe('the plan of tests', () => {
  it('has each check at each point it applies to, pages first', () => {
    const checks = [checkOf('one', 10), checkOf('two', 10, (name) => name === 'b')];
    const steps = planTests(
      checks,
      knowing([itemOf('/data?b=1', 'application/json'), itemOf('/?a=1&b=2'), itemOf('/none')]),
    );
    assert.deepEqual(
      steps.map(({ phase, jobs }) => [
        phase,
        ...jobs.map(({ check, subject }) => `${check.id} ${'parameter' in subject ? subject.parameter.name : ''}`),
      ]),
      [
        ['WEB_TEST', 'one a', 'one b', 'two b'],
        ['API_TEST', 'one b', 'two b'],
      ],
    );
  });

  it('has what leaves traces as an account that has met it as well', () => {
    const { id, title, cwe, cvss, why, fix, references, variants, maxRequests } = checkOf('writing', 5);
    const writing = defineRequestCheck<unknown>({
      ...{ id, title, cwe, cvss, why, fix, references, variants, maxRequests },
      risk: 'intrusive',
      appliesTo: () => true,
      proof: { plan: () => [], judge: () => 'VOID' },
      lab: () => ({ item: itemOf('/'), vulnerable: () => ({}), safe: () => ({}) }),
    });
    const form = { ...itemOf('/guestbook'), method: 'POST' as const, effect: 'changes' as const };
    const met = (as: string | null) => ({ as, url: form.url, status: null });
    const seenAs = (item: InventoryItem) =>
      planTests([writing], knowing([item]), { depth: 'STANDARD' }).flatMap(({ jobs }) =>
        jobs.map(({ subject }) => ('seenAs' in subject ? subject.seenAs : undefined)),
      );
    assert.deepEqual(seenAs({ ...form, sightings: [met(null), met('alice')] }), ['alice']);
    assert.deepEqual(seenAs({ ...form, sightings: [met(null)] }), []);
  });

  it('is the same for the same inventory, also after it was saved', () => {
    const checks = [checkOf('one', 70), checkOf('two', 30)];
    const saved = readState(JSON.stringify(state({ inventory: many(30) })), '').inventory;
    assert.deepEqual(planTests(checks, knowing(saved)), planTests(checks, knowing(many(30))));
  });

  it('is known by its digest, and any other has another one', () => {
    const plan = (checks: string[], inventory: InventoryItem[]) =>
      digestOf(
        planTests(
          checks.map((id) => checkOf(id, 70)),
          knowing(inventory),
        ),
      );
    const usual = plan(['one', 'two'], many(30));
    assert.equal(plan(['one', 'two'], many(30)), usual);
    const others = [plan(['one'], many(30)), plan(['two', 'one'], many(30)), plan(['one', 'two'], many(29))];
    assert.equal(new Set([usual, ...others]).size, 4);
  });

  it('is cut into steps that stay small in requests and in jobs, without losing a job', () => {
    for (const maxRequests of [1, 30, 80, 5_000]) {
      const steps = planTests([checkOf('one', maxRequests)], knowing(many(250)));
      assert.equal(steps.flatMap(({ jobs }) => jobs).length, 250);
      for (const { jobs } of steps) {
        assert.ok(jobs.length > 0 && jobs.length <= 100);
        assert.ok(jobs.length === 1 || jobs.length * maxRequests <= 600);
      }
    }
  });

  it('has what every request has only for checks that ask for it, at few requests', () => {
    const beside = { ...checkOf('beside', 10), locations: ['header', 'cookie'] as const };
    const cookies = [['lang', 'en']] as const;
    const jobsAt = (depth: Depth) =>
      planTests([beside, checkOf('usual', 10)], knowing(many(40)), { depth, cookies }).flatMap((step) => step.jobs);
    const tried = (id: string, depth: Depth = 'STANDARD') =>
      jobsAt(depth)
        .filter(({ check }) => check.id === id)
        .map(({ subject }) => (subject as Point).parameter);
    assert.ok(tried('beside').every(({ location }) => location === 'header' || location === 'cookie'));
    assert.equal(tried('beside').filter(({ name }) => name === 'lang').length, 10);
    assert.deepEqual(tried('beside', 'LEAD'), []);
    assert.equal(tried('usual').length, 40);
  });

  it('has what every request has at no file that is the same for everybody', () => {
    const beside = { ...checkOf('beside', 10), locations: ['header'] as const };
    const files = ['text/css', 'application/javascript', 'image/png'].map((contentType, index) => ({
      ...itemOf(`/file${index}`),
      contentType,
    }));
    const jobs = planTests([beside], knowing([...files, itemOf('/page')]), { depth: 'STANDARD' }).flatMap(
      (step) => step.jobs,
    );
    assert.deepEqual([...new Set(jobs.map(({ subject }) => new URL((subject as Point).item.url).pathname))], ['/page']);
  });

  it('has what writes only from the level on that allows it', () => {
    const form: InventoryItem = {
      ...itemOf('/say'),
      method: 'POST',
      parameters: [{ location: 'form', name: 'a', value: '' }],
    };
    assert.deepEqual(planTests([checkOf('one', 10)], knowing([form])), []);
    assert.equal(planTests([checkOf('one', 10)], knowing([form]), { depth: 'STANDARD' }).length, 1);
  });

  it('has what leaves traces at a site only from the level on that allows it', () => {
    const [harmless, intrusive] = (['harmless', 'intrusive'] as const).map((risk) =>
      defineSiteCheck<unknown>({
        ...textsOf(risk),
        risk,
        appliesTo: () => true,
        variants: [1],
        maxRequests: 10,
        proof: { plan: () => [], judge: () => 'VOID' },
        lab: () => ({ item: itemOf('/'), vulnerable: () => ({}), safe: () => ({}) }),
      }),
    );
    assert.ok(harmless && intrusive);
    const planned = (depth: Depth) =>
      planTests([harmless, intrusive], knowing([itemOf('/')]), { depth }).flatMap(({ jobs }) =>
        jobs.map(({ check }) => check.id),
      );
    assert.deepEqual(planned('LEAD'), ['harmless']);
    assert.deepEqual(planned('STANDARD'), ['harmless', 'intrusive']);
  });

  it('of nothing is empty', () => {
    assert.deepEqual(planTests([checkOf('one', 10)], knowing([])), []);
    assert.deepEqual(planTests([], knowing(many(3))), []);
  });
});

describe('what a run knows', () => {
  it('begins with the target, and is read as it was saved', () => {
    assert.deepEqual(state(), {
      seeds: [{ url: 'http://shop.test/', source: 'link' }],
      inventory: [],
      drafts: [],
      scripted: [],
      opened: 0,
      described: 0,
      pages: 0,
      avoided: 0,
      left: { alike: 0, trapped: 0, deep: 0, unanswered: 0 },
      refused: [],
      harvest: [],
      sharedCookies: [],
      silent: [],
      ours: [],
      traces: [],
      crawled: 0,
      before: {},
      plan: null,
      findings: [],
      notes: [],
      ran: [],
      untested: [],
    });
    const known = state({ inventory: [itemOf('/a?b=1')], pages: 3, notes: ['x'] });
    assert.deepEqual(readState(JSON.stringify(known), 'http://other.test/'), known);
  });

  it('is written as short as it has to be, however long the addresses of a sitemap are', () => {
    const seeds = [...state().seeds, { url: `http://shop.test/${'x'.repeat(1_000_000)}`, source: 'sitemap' as const }];
    const long = state({ seeds, inventory: [itemOf('/a?b=1')] });
    const text = writeState(long);
    assert.ok(text.length <= 1_000_000);
    assert.deepEqual(readState(text, ''), { ...long, seeds: state().seeds });
    assert.equal(writeState(state()), JSON.stringify(state()));
  });

  it('is not believed when another version has saved it: the run begins anew, under new names, and says so', () => {
    const done = ['VERIFYING/1', 'WEB_TEST/9', 'WEB_TEST/10', 'RECON/1'];
    const older = { ...state({ findings: ['a', 'b'], pages: 3, notes: ['x'] }), cookies: [] };
    const anew = readState(JSON.stringify(older), 'http://shop.test/', done);
    assert.deepEqual(
      { ...anew, notes: anew.notes.length },
      { ...state(), findings: ['a', 'b'], before: { VERIFYING: 1, WEB_TEST: 10, RECON: 1 }, notes: 1 },
    );
    assert.match(anew.notes[0] ?? '', /began anew/);
    for (const text of [null, '', 'null', '{}', '{"findings":[1]}', JSON.stringify({ ...state(), pages: 0.5 })]) {
      assert.deepEqual(readState(text, 'http://shop.test/', done), { ...anew, findings: [] }, String(text));
    }
  });
});

describe('a secret', () => {
  const { learn, redact } = createRedactor();
  learn('shop.test');
  learn('hunter22');

  it('is masked in everything that a target may have put into a state, and the state can still be used', () => {
    const sightings = [{ as: null, url: 'http://shop.test/u', status: 200, body: '{"word":"hunter22"}' }];
    const items = [{ ...itemOf('/u?hunter22=hunter22', 'text/hunter22'), sightings }, itemOf('/u/hunter22')];
    const refused = ['/admin', '/hunter22'].map((path) => ({ as: null, url: `http://shop.test${path}` }));
    const inventory = maskInventory(items, redact);
    const masked = maskState(
      state({ seeds: [{ url: 'http://shop.test/hunter22', source: 'link' }], inventory, refused, notes: ['hunter22'] }),
      redact,
    );
    assert.equal(inventory.length, 1);
    assert.deepEqual(masked.refused, refused.slice(0, 1));
    assert.ok(!JSON.stringify(masked).includes('hunter22'));
    assert.equal(masked.seeds[0]?.url, 'http://shop.test/[redacted]');
    assert.ok(URL.canParse(masked.inventory[0]?.url ?? ''));
    assert.deepEqual(readState(JSON.stringify(masked), ''), masked);
  });

  it('is masked in a finding, but not in our own words', () => {
    const finding: PentestFinding = {
      title: 'hunter22',
      description: 'Found hunter22',
      severity: 'LOW',
      confidence: 'FIRM',
      affectedUrl: 'http://shop.test/?a=hunter22',
      remediation: null,
      cvssScore: 1,
      cwe: 1,
      method: 'GET',
      parameter: 'hunter22',
      fingerprint: 'f',
    };
    const { title, description, affectedUrl, parameter } = maskFinding(finding, redact);
    assert.deepEqual(
      [title, description, affectedUrl, parameter],
      ['hunter22', 'Found [redacted]', 'http://shop.test/?a=[redacted]', '[redacted]'],
    );
    const empty = maskFinding({ ...finding, description: null, affectedUrl: null, parameter: null }, redact);
    assert.deepEqual([empty.description, empty.affectedUrl, empty.parameter], [null, null, null]);
  });
});

describe('a URL with a secret in it', () => {
  it('is still a URL when it is masked, also where the secret is in its host', () => {
    const { learn, redact } = createRedactor();
    learn('shop.test');
    for (const url of ['HTTP://shop.test/shop.test?a=1', 'http://shop.test/shop.test?a=1']) {
      const masked = maskState(state({ seeds: [{ url, source: 'link' }] }), redact).seeds[0]?.url ?? '';
      assert.equal(new URL(masked).host, 'shop.test');
      assert.match(masked, /\/\[redacted\]\?a=1$/);
    }
  });
});

describe('a URL whose whole path is a secret', () => {
  it('is still a URL when it is masked', () => {
    const { learn, redact } = createRedactor();
    learn('/account/home');
    const url = 'https://shop.test/account/home';
    const masked = maskState(state({ seeds: [{ url, source: 'link' }] }), redact).seeds[0]?.url ?? '';
    assert.equal(masked, 'https://shop.test/[redacted]');
    assert.equal(new URL(masked).host, 'shop.test');
  });
});

describe('the summary', () => {
  const checks = [checkOf('one', 10), checkOf('two', 10, () => false)];

  it('says what was tested, what was not, and why', () => {
    const inventory = [itemOf('/?a=1')];
    const told = state({
      inventory,
      pages: 2,
      avoided: 1,
      notes: ['The time was used up.'],
      ran: ['one'],
    });
    assert.deepEqual(summarise(told, checks, planTests(checks, knowing(inventory))).split('\n'), [
      'Looked at 2 pages and met 1 kind of requests.',
      'Tested 1 parameter with 1 check: one.',
      'Found nothing to use these checks on: two.',
      'Left 1 link or form alone because of what they would do.',
      'The time was used up.',
    ]);
  });

  it('lists what could not run with its reason and its cure, and never as tested', () => {
    const all = ['one', 'two', 'three', 'four'].map((id) => checkOf(id, 10));
    const inventory = [itemOf('/?a=1')];
    const untested = [
      { check: 'two', group: 'scripting', reason: 'No browser.', cure: 'Install one.' },
      { check: 'three', group: 'scripting', reason: 'No browser.', cure: 'Install one.' },
    ];
    const told = state({ inventory, ran: ['one', 'three'], untested });
    assert.deepEqual(
      summarise(told, all, planTests(all, knowing(inventory)))
        .split('\n')
        .slice(1),
      [
        'Tested 1 parameter with 1 check: one.',
        'Tested in part only: three.',
        'Could not test scripting (two, three): No browser. Install one.',
        'Did not get to these checks: four.',
      ],
    );
  });

  it('of nothing says so', () => {
    assert.match(summarise(state(), [], []), /Tested 0 parameters with 0 checks: none\.$/);
  });

  it('can be stored, however much there is to say', () => {
    const notes = Array.from({ length: 1_000 }, (_, n) => `${n} ${'x'.repeat(900)}`);
    assert.ok(summarise(state({ notes }), checks, []).length <= 10_000);
  });
});
