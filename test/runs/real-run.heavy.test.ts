import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { endpoints, type Scan } from '@sortie/contract';
import { answerKey } from '@sortie/range';
import { type FormatName, formats, reportOfPentest } from '@sortie/report';
import { startTestRange, type TestRange } from '@sortie/testing/engine/range.ts';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import {
  alice,
  allowing,
  closedPort,
  createRealStarter,
  egressOf,
  rowsOf,
  startReal,
  withWorker,
} from '@sortie/testing/real-runs/real-run.ts';
import { readers } from '@sortie/testing/reports/report-readers.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { findingsOf, get, parseAnswer } from '@sortie/testing/world/pentests.ts';
import { assertStatements } from '@sortie/testing/world/run-statements.ts';
import { inspect, phases, type Run, readRun, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { start } from '@sortie/testing/world/starts.ts';
import { assertForward, keepMoves, movesOf } from '@sortie/testing/world/status-moves.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

/** What the engine finds of the answer key today, as its checks rate it. */
const rated: Record<string, { severity: string; cvssScore: string }> = {
  'sql-injection': { severity: 'CRITICAL', cvssScore: '9.8' },
  'path-traversal': { severity: 'HIGH', cvssScore: '7.5' },
  'reflected-xss': { severity: 'MEDIUM', cvssScore: '6.1' },
  'open-redirect': { severity: 'MEDIUM', cvssScore: '4.3' },
};
const flaws = Object.entries(rated).map(([id, rating]) => {
  const flaw = answerKey.find((each) => each.id === id);
  assert.ok(flaw);
  return { ...flaw, ...rating };
});

let range: TestRange;
let world: World;
let closed: number;
let light: Run;
const runs: Run[] = [];
before(async () => {
  range = await startTestRange();
  closed = await closedPort();
  world = await createWorld({ env: allowing(range.port, closed), flags: withWorker });
  await keepMoves(world);
  light = await startReal(world, await createRealStarter(world, `${range.origin}/`), { credentials: [alice] });
  runs.push(light);
});
after(async () => {
  await world.end();
  await range.stop();
});

async function summaryOf(run: Run): Promise<string> {
  return String((await inspect(world, run)).summary);
}

/** What the responses of the whole site lack. */
const missing = ['cookie-samesite-missing', 'csp-missing', 'nosniff-missing'];

/** Worst first, as the API lists them. */
async function assertFlawsOf(run: Run): Promise<void> {
  const { findings, total } = await findingsOf(world.server.baseUrl, run.starter, run.id);
  for (const { title, parameter, location, ...finding } of findings) {
    const { checkId, cvssVector, cvss4Vector, owaspCategory, owasp, references, impact, stepsToReproduce } = finding;
    assert.ok(checkId && cvssVector && cvss4Vector && owaspCategory && owaspCategory === owasp, title);
    assert.ok(impact && stepsToReproduce.length > 0 && references.length > 0, title);
    assert.match(finding.description ?? '', /^Observed here: /m, title);
    assert.equal(location === null, parameter === null, title);
  }
  const last = findings.slice(flaws.length).map(({ checkId, severity }) => `${checkId} ${severity}`);
  assert.deepEqual(
    last.sort(),
    missing.map((checkId) => `${checkId} LOW`),
  );
  const worst = findings.slice(0, flaws.length);
  const seen = worst.map(({ severity, confidence, cweId, method, affectedUrl, parameter, cvssScore }) => {
    const { origin, pathname } = new URL(affectedUrl ?? '');
    return { severity, confidence, cweId, method, origin, path: pathname, parameter, cvssScore };
  });
  const expected = flaws.map(({ severity, cvssScore, cwe, method, path, parameter }) => {
    return {
      severity,
      confidence: 'CONFIRMED',
      cweId: `CWE-${cwe}`,
      method,
      origin: range.origin,
      path,
      parameter,
      cvssScore,
    };
  });
  assert.deepEqual(seen, expected);
  assert.equal(total, flaws.length + missing.length);
}

describe('a scan over the API', () => {
  let member: Member;
  before(async () => {
    member = await world.createMember();
  });

  async function scan(url: string): Promise<Scan> {
    const started = await start(world.server.baseUrl, '/v1/scans', member, { url }, { idempotencyKey: randomUUID() });
    const { id } = parseAnswer(endpoints.startScan, started);
    const read = async () => parseAnswer(endpoints.getScan, await get(world.server.baseUrl, member, `/v1/scans/${id}`));
    await waitFor(async () => (await read()).status === 'COMPLETED', { what: `the scan of ${url}` });
    return read();
  }

  const findingsOfScan = async ({ id }: Scan) =>
    parseAnswer(endpoints.listScanFindings, await get(world.server.baseUrl, member, `/v1/scans/${id}/findings`));

  it('of the range ends with a score, a grade and the findings that explain it', async () => {
    const scanned = await scan(`${range.origin}/`);
    const { score, grade, failure, findingCounts, checks } = scanned;
    assert.ok(score !== null && grade !== null && failure === null && findingCounts && checks);
    const { findings, total } = await findingsOfScan(scanned);
    assert.equal(findings.length, total);
    assert.equal(findingCounts.total, total);
    // The shop sends no security header at all.
    assert.ok(findings.some(({ category }) => category === 'headers'));
    assert.equal(
      findings.reduce((sum, { scoreImpact }) => sum + scoreImpact, 0),
      100 - score,
    );
    assert.ok(score < 100);
    const { run, passed, failed, notApplicable, notRun } = checks;
    assert.equal(run, passed + failed);
    assert.ok(Number(notApplicable) > 20, 'checks of TLS and names say nothing about a shop on plain http');
    assert.equal(scanned.notRunReasons.length, notRun);
    assert.ok(scanned.notRunReasons.every(({ checkId, reason }) => checkId !== '' && reason.endsWith('.')));
    assert.ok(failed > 0 && passed > 0, JSON.stringify({ passed, failed, notRun }));
    const [went, ...others] = await egressOf(world, scanned.id);
    assert.deepEqual([went?.outcome, went?.port, others], ['CONTACTED', range.port, []]);
  });

  const failures: Record<string, { url: () => string; code: string; outcome: string }> = {
    'an address of metadata': {
      url: () => 'http://169.254.169.254/latest/meta-data/',
      code: 'TARGET_REFUSED',
      outcome: 'REFUSED',
    },
    'a port of loopback that nobody allowed': {
      url: () => `http://127.0.0.1:${new URL(world.server.baseUrl).port}/`,
      code: 'TARGET_REFUSED',
      outcome: 'REFUSED',
    },
    'a port on which nobody listens': {
      url: () => `http://127.0.0.1:${closed}/`,
      code: 'TARGET_UNREACHABLE',
      outcome: 'CONTACTED',
    },
  };
  for (const [what, { url, code, outcome }] of Object.entries(failures)) {
    it(`of ${what} ends too, without a score and with the reason`, async () => {
      const scanned = await scan(url());
      const { score, grade, findingCounts, checks, failure } = scanned;
      assert.deepEqual(
        { score, grade, findingCounts, checks },
        { score: null, grade: null, findingCounts: null, checks: null },
      );
      assert.equal(failure?.code, code);
      assert.match(failure?.message ?? '', /\. [A-Z]/, 'what happened, and what to do');
      assert.deepEqual((await findingsOfScan(scanned)).findings, []);
      const went = await egressOf(world, scanned.id);
      assert.deepEqual(
        went.map((each) => each.outcome),
        [outcome],
      );
      if (outcome === 'REFUSED') assert.equal(went[0]?.connections, 0);
    });
  }
});

describe('a light pentest of the range with a test account', () => {
  it('is completed, phase after phase', async () => {
    const pentest = await waitUntilOver(world, light);
    assert.equal(pentest.status, 'COMPLETED', await summaryOf(light));
    assert.ok(pentest.startedAt && pentest.completedAt);
    const { steps, lease } = await inspect(world, light);
    const reached = new Set(steps.map(({ phase }) => phase));
    assert.deepEqual(
      [...reached],
      phases.filter((phase) => reached.has(phase)),
    );
    for (const phase of ['VERIFYING', 'RECON', 'ENUMERATION', 'WEB_TEST', 'ANALYSIS', 'REPORTING'] as const) {
      assert.ok(reached.has(phase), phase);
    }
    assert.equal(lease.epoch, 2, 'one attempt, and the end of it');
    const moves = (await movesOf(world)).filter(({ runId }) => runId === light.id);
    assertForward(moves);
    assert.deepEqual(
      moves.map(({ to }) => to),
      [...reached, 'COMPLETED'],
    );
  });

  it('shows exactly the flaws that were planted and can be found today, and none of their safe twins', () =>
    assertFlawsOf(light));

  it('makes a report that the readers of every format take, with each flaw in it', async () => {
    const { findings } = await findingsOf(world.server.baseUrl, light.starter, light.id);
    const report = reportOfPentest(await readRun(world, light), findings, { toolVersion: '0.1.0' });
    for (const [name, { render }] of Object.entries(formats)) readers[name as FormatName](render(report));
    const { runs } = JSON.parse(formats.sarif.render(report));
    assert.deepEqual(
      runs[0].results.map((result: { partialFingerprints: object }) => Object.values(result.partialFingerprints)[0]),
      findings.map(({ fingerprint }) => fingerprint),
    );
  });

  it('says in its summary what was tested, without the password', async () => {
    const summary = await summaryOf(light);
    assert.match(summary, /^Tested \d+ parameters with \d+ checks: /m);
    assert.ok(!summary.includes(String(alice.pass)));
  });

  it('keeps the exchanges that show each finding', async () => {
    const shown = await rowsOf<{ cwe: number; exchanges: number; complete: boolean }>(
      world,
      `select cwe_id as cwe, count(*)::integer as exchanges,
         bool_and(request ~ '^GET http' and response ~ '^[1-5][0-9][0-9]' and label <> '') as complete
       from pentest_finding join evidence using (pentest_id, fingerprint) where pentest_id = $1 group by 1 order by 1`,
      [light.id],
    );
    assert.deepEqual(
      shown.map(({ cwe }) => cwe),
      [...flaws.map(({ cwe }) => cwe), ...[693, 1275]].toSorted((a, b) => a - b),
    );
    // A page that has called us is its own proof, as is a response that lacks something; all others have controls.
    for (const { cwe, exchanges, complete } of shown)
      assert.ok(complete && exchanges >= ([79, 1275].includes(cwe) ? 1 : 2), `CWE-${cwe}`);
  });

  it('has opened the test account once, for the engine', async () => {
    const uses = await rowsOf(world, 'select purpose, epoch from credential_use where run_id = $1', [light.id]);
    assert.deepEqual(uses, [{ purpose: 'ENGINE', epoch: 1 }]);
  });

  it('has the consent of whoever started it, with the rules of that moment', async () => {
    const { userId, apiKeyId, target } = light.starter;
    const [consent] = await rowsOf<{ rules: { requestsPerSecond: number } }>(
      world,
      `select user_id, api_key_id, verification_id, rules from consent where pentest_id = $1`,
      [light.id],
    );
    assert.ok(consent);
    const { rules, ...others } = consent;
    assert.deepEqual(others, { user_id: userId, api_key_id: apiKeyId, verification_id: target.verificationId });
    assert.equal(rules.requestsPerSecond, 50);
  });
});

if (isFull)
  describe('a standard pentest of the range', () => {
    let reviewed: Run;
    before(async () => {
      reviewed = await startReal(world, await createRealStarter(world, `${range.origin}/`), { depth: 'STANDARD' });
      runs.push(reviewed);
    });

    it('is completed and waits for its reviewer, with nothing to be read yet', async () => {
      const { status, reportReleased, credits } = await waitUntilOver(world, reviewed);
      assert.equal(status, 'COMPLETED', await summaryOf(reviewed));
      assert.equal(reportReleased, false);
      assert.deepEqual(credits, { state: 'RESERVED', reserved: 2_000, charged: null, returned: null });
      const { findings, total } = await findingsOf(world.server.baseUrl, reviewed.starter, reviewed.id);
      assert.deepEqual([findings, total], [[], null]);
    });

    it('is released with its findings when the reviewer signs off', async () => {
      const { id: reviewer } = await world.admin.user.create({
        email: `${randomUUID()}@example.test`,
        staff: 'REVIEWER',
      });
      await world.admin.review.take({ run: reviewed.id, reviewer });
      assert.equal((await readRun(world, reviewed)).reportReleased, false);
      await world.admin.review.signOff({ run: reviewed.id, reviewer });
      const { reportReleased, credits } = await readRun(world, reviewed);
      assert.equal(reportReleased, true);
      assert.equal(credits.state, 'CHARGED');
      await assertFlawsOf(reviewed);
    });
  });

describe('after all of that,', () => {
  it('every run costs what its work does by the formula', async () => {
    await assertStatements(world, runs);
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
