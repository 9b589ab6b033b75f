import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Pentest } from '@sortie/contract';
import { call } from '@sortie/testing/http/call.ts';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import { casesOf } from '@sortie/testing/runner/test-size.ts';
import { shortLease } from '@sortie/testing/server/short-lease.ts';
import { findingsOf, summaryOf } from '@sortie/testing/world/pentests.ts';
import {
  ENDLESS_MS,
  finding,
  inspect,
  phases,
  type Run,
  readRun,
  type Script,
  startRun,
  waitForStatus,
  waitForSteps,
  waitUntil,
  waitUntilOver,
} from '@sortie/testing/world/runs.ts';
import { cancel, manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let reviewer: string;
before(async () => {
  const env = { ...manyRequests, ...shortLease(2_000), SORTIE_PENTEST_SLOTS: '4' };
  world = await createWorld({ env, flags: ['--no-demo', '--role', 'all'] });
  reviewer = (await world.admin.user.create({ email: 'ada@example.test', staff: 'REVIEWER' })).id;
});
after(() => world.end());

const findings = ({ id, starter }: Run, query: Record<string, string> = {}) =>
  findingsOf(world.server.baseUrl, starter, id, query);

const titlesOf = async (run: Run) => (await findings(run)).findings.map(({ title }) => title);

const summary = ({ id, starter }: Run) => summaryOf(world.server.baseUrl, starter, id);

const nothing = { reportReleased: false, total: null, nextOffset: null, findings: [] };

/** What a pipeline may go by. */
const isPassed = ({ status, reportReleased }: Pentest) => status === 'COMPLETED' && reportReleased;

const critical = finding('a', { title: 'Worst', severity: 'CRITICAL', cvssScore: 9.8 });
const high = finding('b', { title: 'Bad' });
const low = finding('c', { title: 'Not so bad', severity: 'LOW', cvssScore: 3.1 });

const noBrowser = 'No browser is installed.';
const coverage: NonNullable<Script['coverage']> = {
  groups: [
    {
      group: 'scripting',
      status: 'NOT_TESTED',
      tested: 0,
      partlyTested: 0,
      notTested: 1,
      reasons: [{ reason: noBrowser, cure: 'Install Chromium.' }],
    },
  ],
  requests: [
    {
      method: 'GET',
      url: 'https://shop.example.test/search?q',
      operation: null,
      account: null,
      tested: ['injection'],
      partlyTested: [],
      notTested: [{ groups: ['scripting'], reason: noBrowser }],
    },
  ],
  omittedRequests: 0,
};

const threeFindings: Script = { steps: [{ phase: 'WEB_TEST', findings: [low, critical, high] }] };
const worstFirst = ['Worst', 'Bad', 'Not so bad'];

/** A step after the findings that does not end by itself. */
const thenEndless: Script = {
  steps: [...(threeFindings.steps ?? []), { phase: 'ANALYSIS', milliseconds: ENDLESS_MS }],
};

async function complete(depth: 'LEAD' | 'STANDARD' | 'DEEP', script = threeFindings): Promise<Run> {
  const run = await startRun(world, script, { depth });
  assert.equal((await waitUntilOver(world, run)).status, 'COMPLETED');
  return run;
}

const take = ({ id }: Run) => world.admin.review.take({ run: id, reviewer });
const signOff = ({ id }: Run) => world.admin.review.signOff({ run: id });

describe('1. a level without expert review (Light)', { concurrency: 3 }, () => {
  it('is released as soon as it is paid for, and fills in while it runs', async () => {
    const steps: Script['steps'] = [
      { phase: 'RECON', milliseconds: 1_500, findings: [low] },
      { phase: 'WEB_TEST', milliseconds: 1_500, findings: [high, critical] },
      { phase: 'REPORTING', milliseconds: 1_500 },
    ];
    const untested = [{ group: 'scripting', reason: noBrowser, cure: 'Install Chromium.' }];
    const run = await startRun(world, { steps, untested, coverage });
    const begun = await findings(run);
    assert.deepEqual([begun.reportReleased, begun.total, begun.findings], [true, 0, []]);
    await waitForSteps(world, run, 1);
    assert.deepEqual(await titlesOf(run), ['Not so bad']);
    await waitForSteps(world, run, 2);
    assert.deepEqual(await titlesOf(run), worstFirst);
    assert.deepEqual(await summary(run), {
      id: run.id,
      reportReleased: true,
      summary: null,
      untested: [],
      coverage: null,
      fixed: [],
      notTested: [],
    });
    assert.equal((await readRun(world, run)).completedAt, null, 'it still runs');
    await waitUntil(world, run, (pentest) => {
      assert.equal(pentest.reportReleased, true);
      return pentest.status === 'COMPLETED';
    });
    assert.deepEqual(await titlesOf(run), worstFirst);
    const told = await summary(run);
    assert.match(String(told.summary), /A script was played/);
    assert.deepEqual(told.untested, untested);
    assert.deepEqual(told.coverage, coverage);
    assert.deepEqual((await inspect(world, run)).coverage, coverage);
  });

  it('lists each finding with everything its engine reported, and each in the order of the report', async () => {
    const { findings: listed, total, nextOffset } = await findings(await complete('LEAD'));
    assert.deepEqual([total, nextOffset], [3, null]);
    const { id, ...first } = listed[0] ?? assert.fail();
    assert.match(id, /^fnd_\w+$/);
    const { cwe, ...reported } = critical;
    const { checkId, cvssVector, cvss4Vector, impact, stepsToReproduce, location, references } = reported;
    assert.ok(checkId && cvssVector && cvss4Vector && impact && location);
    assert.ok(stepsToReproduce.length > 0 && references.length > 0);
    const owasp = 'A03:2021 Injection';
    const computed = { cvssScore: '9.8', cweId: `CWE-${cwe}`, owaspCategory: owasp, owasp, history: 'NEW' };
    const { affectedUrl: url, method, parameter } = reported;
    const places = [{ method, url, parameter, location, accounts: [], fingerprints: [reported.fingerprint] }];
    assert.deepEqual(first, { ...reported, ...computed, places, formerFingerprints: [] });
  });

  it('lists a finding that was reported twice once, as it was reported first', async () => {
    const again = finding('a', { title: 'The same, found later', severity: 'INFO' });
    const steps: Script['steps'] = [
      { phase: 'RECON', findings: [critical] },
      { phase: 'WEB_TEST', findings: [again, high, high] },
      { phase: 'API_TEST', findings: [high] },
    ];
    const run = await complete('LEAD', { steps });
    assert.deepEqual(await titlesOf(run), ['Worst', 'Bad']);
    assert.equal((await findings(run)).total, 2);
  });

  it('lists the findings of a repeated step once', async () => {
    const steps: Script['steps'] = [
      { phase: 'RECON', findings: [low] },
      { phase: 'WEB_TEST', findings: [high, critical], crash: { how: 'kill', times: 2 } },
    ];
    assert.deepEqual(await titlesOf(await complete('LEAD', { steps })), worstFirst);
  });

  it('is not released while it waits for a payment', async () => {
    const run = await startRun(world, thenEndless);
    await waitForSteps(world, run, 1);
    await cancel(world.server.baseUrl, run.starter, run.id);
    // As the dashboard will make it, for a run that nothing is held for yet.
    await world.testDatabase.database.queries
      .updateTable('pentest')
      .set({ status: 'AWAITING_PAYMENT', started_at: null, completed_at: null })
      .where('id', '=', run.id)
      .execute();
    assert.equal((await readRun(world, run)).reportReleased, false);
    assert.deepEqual(await findings(run), { id: run.id, ...nothing });
  });
});

describe('2. a level with expert review', { concurrency: 3 }, () => {
  for (const depth of casesOf(['STANDARD'], ['DEEP'])) {
    it(`releases nothing until a reviewer has signed the report off: ${depth}`, async () => {
      const steps = phases.map((phase) => ({ phase, milliseconds: 50, findings: [high] }));
      const run = await startRun(world, { steps }, { depth });
      await waitUntil(world, run, (pentest) => {
        assert.equal(pentest.reportReleased, false);
        return pentest.status === 'COMPLETED';
      });
      assert.deepEqual(await findings(run), { id: run.id, ...nothing });
      await take(run);
      assert.deepEqual(await findings(run, { severity: 'high' }), { id: run.id, ...nothing });
      assert.deepEqual(await summary(run), {
        id: run.id,
        reportReleased: false,
        summary: null,
        untested: [],
        coverage: null,
        fixed: [],
        notTested: [],
      });
      await signOff(run);
      assert.equal((await readRun(world, run)).reportReleased, true);
      assert.deepEqual(await titlesOf(run), ['Bad']);
      assert.match(String((await summary(run)).summary), /A script was played/);
    });
  }

  it('lists what the reviewer left in the report, as the reviewer put it', async () => {
    const run = await complete('STANDARD');
    await take(run);
    const { findings: judged } = await world.admin.review.show({ run: run.id });
    const [worst = '', bad = '', other = ''] = worstFirst.map(
      (title) => judged.find((each) => each.title === title)?.id,
    );
    await world.admin.review.exclude({ run: run.id, finding: worst });
    await world.admin.review.exclude({ run: run.id, finding: other });
    await world.admin.review.exclude({ run: run.id, finding: other, undo: true });
    await world.admin.review.edit({ run: run.id, finding: bad, title: 'Bad indeed', severity: 'INFO', cvss: 'none' });
    await signOff(run);
    const { total, findings: listed } = await findings(run);
    assert.equal(total, 2);
    assert.deepEqual(
      listed.map(({ id, title, severity, cvssScore }) => [id, title, severity, cvssScore]),
      [
        [other, 'Not so bad', 'LOW', '3.1'],
        [bad, 'Bad indeed', 'INFO', null],
      ],
    );
    assert.equal((await findings(run, { severity: 'critical' })).total, 0);
  });
});

describe('3. a run that ended FAILED or CANCELLED shows whatever it found, without review', { concurrency: 3 }, () => {
  for (const depth of casesOf(['STANDARD'], ['LEAD'])) {
    for (const outcome of ['FAILED', 'CANCELLED'] as const) {
      it(`${outcome} by its engine: ${depth}`, async () => {
        const script = { ...threeFindings, outcome, summary: 'The account "ada" could not log in.' };
        const run = await startRun(world, script, { depth });
        const { status, reportReleased } = await waitUntilOver(world, run);
        assert.deepEqual([status, reportReleased], [outcome, true]);
        assert.deepEqual(await titlesOf(run), worstFirst);
        assert.equal((await summary(run)).summary, script.summary);
        await assert.rejects(take(run), /has no review/);
      });
    }

    it(`CANCELLED by its owner: ${depth}`, async () => {
      const run = await startRun(world, thenEndless, { depth });
      await waitForSteps(world, run, 1);
      await waitForStatus(world, run, 'ANALYSIS');
      assert.equal((await readRun(world, run)).reportReleased, depth === 'LEAD');
      assert.equal((await cancel(world.server.baseUrl, run.starter, run.id)).status, 200);
      assert.equal((await readRun(world, run)).reportReleased, true);
      assert.deepEqual(await titlesOf(run), worstFirst);
      assert.match(String((await summary(run)).summary), /^Cancelled on request, after \d+ requests\. /);
    });
  }

  it('CANCELLED because the engine died in the step after: what was found before is shown', async () => {
    const steps: Script['steps'] = [
      { phase: 'RECON', findings: [low, high] },
      { phase: 'WEB_TEST', findings: [critical], crash: { how: 'exit', times: 100 } },
    ];
    const run = await startRun(world, { steps }, { depth: 'STANDARD' });
    const { status, reportReleased } = await waitUntilOver(world, run);
    assert.deepEqual([status, reportReleased], ['CANCELLED', true]);
    assert.deepEqual(await titlesOf(run), ['Bad', 'Not so bad']);
    assert.match(String((await summary(run)).summary), /The test engine died 5 times/);
  });
});

describe('4. a report that a reviewer rejects', () => {
  /** Everything that the API says about a run, but for the rate limits and ids of the requests themselves. */
  async function allAnswers({ id, starter }: Run) {
    const paths = [
      `/v1/pentests/${id}`,
      `/v1/pentests/${id}/findings`,
      `/v1/pentests/${id}/findings?severity=high&limit=1`,
      `/v1/pentests/${id}/summary`,
      '/v1/pentests',
      '/v1/pentests?status=COMPLETED',
      '/v1/credits/balance',
      '/v1/credits/usage',
      `/v1/credits/usage?pentestId=${id}`,
    ];
    const ofRequest = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset'];
    const answers = await Promise.all(paths.map((path) => call(world.server.baseUrl + path, { key: starter.apiKey })));
    const cancelled = await cancel(world.server.baseUrl, starter, id);
    return [...answers, cancelled].map(({ status, headers, text }) => {
      const shown = Object.entries(headers).filter(([name]) => !ofRequest.includes(name));
      return { status, text, headers: Object.fromEntries(shown) };
    });
  }

  for (const depth of casesOf(['STANDARD'], ['DEEP'])) {
    it(`cannot be told from one in review; taken up again and signed off, it is released: ${depth}`, async () => {
      const run = await complete(depth);
      const { reject, reopen, note } = world.admin.review;
      const waiting = await allAnswers(run);
      for (const { status, text } of waiting) assert.equal(status, 200, text);
      for (const change of [
        () => take(run),
        () => note({ run: run.id, text: 'Is this one real?' }),
        () => reject({ run: run.id, reason: 'Nothing of it can be reproduced.' }),
        () => world.admin.clock.advance({ duration: '1h' }),
        () => reopen({ run: run.id }),
        () => take(run),
      ]) {
        await change();
        assert.deepEqual(await allAnswers(run), waiting);
      }
      await signOff(run);
      const { status, reportReleased, credits } = await readRun(world, run);
      assert.deepEqual([status, reportReleased, credits.state], ['COMPLETED', true, 'CHARGED']);
      assert.deepEqual(await titlesOf(run), worstFirst);
    });
  }

  it('cannot be signed off before it is taken up again', async () => {
    const run = await complete('STANDARD');
    await take(run);
    await world.admin.review.reject({ run: run.id, reason: 'No.' });
    await assert.rejects(signOff(run), /was rejected/);
    assert.equal((await readRun(world, run)).reportReleased, false);
  });
});

describe('5. to judge a run, wait for both: COMPLETED and a released report', { concurrency: 3 }, () => {
  it('Light is released before it is COMPLETED', async () => {
    const run = await startRun(world, { steps: [{ phase: 'RECON', milliseconds: 500, findings: [high] }] });
    const seen = new Set<boolean>();
    await waitUntil(world, run, (pentest) => {
      assert.equal(pentest.reportReleased, true);
      assert.equal(isPassed(pentest), pentest.status === 'COMPLETED');
      seen.add(isPassed(pentest));
      return isPassed(pentest);
    });
    assert.deepEqual([...seen], [false, true]);
  });

  it('Standard is COMPLETED before it is released', async () => {
    const run = await complete('STANDARD');
    assert.equal(isPassed(await readRun(world, run)), false);
    await take(run);
    assert.equal(isPassed(await readRun(world, run)), false);
    await signOff(run);
    assert.equal(isPassed(await readRun(world, run)), true);
  });

  it('a run that is FAILED or CANCELLED is released, and passes nothing', async () => {
    for (const outcome of ['FAILED', 'CANCELLED'] as const) {
      const run = await startRun(world, { steps: [], outcome });
      const pentest = await waitUntilOver(world, run);
      assert.deepEqual([pentest.status, pentest.reportReleased, isPassed(pentest)], [outcome, true, false]);
    }
  });
});

describe('the ledger, after all of that,', () => {
  it('agrees with its journal', async () => {
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
