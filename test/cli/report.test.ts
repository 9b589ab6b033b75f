import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { keysOf, useScenes } from '@sortie/testing/cli/cli-scenes.ts';
import {
  RUN_ID,
  refusal,
  runStory,
  type Script,
  scriptedFinding,
  started,
} from '@sortie/testing/cli/scripted-service.ts';

const scene = useScenes();

const formats = ['--format', 'sarif', '-o', 'a.sarif', '--format', 'json', '-o', 'a.json', '--json'];
const page = (total: number | null) => ({ id: RUN_ID, total, nextOffset: null, findings: [scriptedFinding()] });
const whole = runStory({ looks: [{}], findings: [scriptedFinding()] });

/** As when the report is changed between two answers. */
const torn: Script = (asked, before) =>
  asked.path.endsWith('/findings') ? { body: { ...page(2), reportReleased: true } } : whole(asked, before);

const tornScan: Script = ({ path: asked }) => {
  const times = { createdAt: '2026-11-01T10:00:00.000Z', completedAt: '2026-11-01T10:01:00.000Z' };
  if (asked === `/v1/scans/${RUN_ID}/findings`) return { body: { ...page(2), status: 'COMPLETED' } };
  if (asked !== `/v1/scans/${RUN_ID}`) return refusal(404, 'NOT_FOUND');
  const scan = { id: RUN_ID, url: 'https://shop.example/', domain: 'shop.example', status: 'COMPLETED' };
  return { body: { ...scan, score: 90, grade: 'A', failure: null, ...times } };
};

describe('sortie report', { concurrency: 2 }, () => {
  it('writes SARIF of a run that is judged', async () => {
    const { cwd, sortie } = scene(whole);
    const { exitCode, stdout, stderr } = await sortie('report', RUN_ID, ...formats);
    assert.equal(exitCode, 0, stderr);
    assert.deepEqual([JSON.parse(stdout).isJudged, JSON.parse(stdout).files], [true, ['a.sarif', 'a.json']]);
    assert.equal(JSON.parse(readFileSync(path.join(cwd, 'a.sarif'), 'utf8')).runs[0].results.length, 1);
  });

  it('writes groups of checks that could not run into JUnit: as errors, or as skipped where they are accepted', async () => {
    const untested = [{ group: 'scripting', reason: 'There was no browser.', cure: 'Install Chromium.' }];
    const { sortie } = scene(runStory({ looks: [{}], findings: [], untested }));
    const written = await Promise.all(
      [[], ['--accept-untested', 'scripting']].map((more) => sortie('report', RUN_ID, '--format', 'junit', ...more)),
    );
    const [open, accepted] = written.map(({ stdout }) => /<testsuite .*?>/.exec(stdout)?.[0] ?? stdout);
    assert.match(open ?? '', /errors="2" skipped="0"/);
    assert.match(accepted ?? '', /errors="0" skipped="1"/);
  });

  it('writes findings that are not new into JUnit as passed, by history or by a baseline run', async () => {
    const findings = [scriptedFinding({ severity: 'HIGH', history: 'OPEN' })];
    const story = runStory({ looks: [{}], findings });
    const earlier = 'pen_earlier';
    const { sortie } = scene((request, before) =>
      request.path === `/v1/pentests/${earlier}`
        ? { body: { id: earlier, targetUrl: 'https://shop.example/', status: 'COMPLETED', reportReleased: true } }
        : story({ ...request, path: request.path.replace(earlier, RUN_ID) }, before),
    );
    const failures = async (...more: string[]) => {
      const { stdout, stderr } = await sortie('report', RUN_ID, '--format', 'junit', ...more);
      return /failures="(\d+)"/.exec(stdout)?.[1] ?? stderr;
    };
    assert.equal(await failures(), '2');
    assert.equal(await failures('--new-only', '--baseline-run', ''), '0');
    assert.equal(await failures('--baseline-run', earlier), '0');
    assert.match(await failures('--baseline-run', RUN_ID), /^error: --baseline-run: /);
  });

  it('writes nothing if the groups that could not run are unknown: the run may be incomplete', async () => {
    const { sortie } = scene((request, before) =>
      request.path.endsWith('/summary') ? refusal(403, 'FORBIDDEN') : whole(request, before),
    );
    const { exitCode, stdout, stderr } = await sortie('report', RUN_ID, '--format', 'junit');
    assert.deepEqual([exitCode, stdout], [5, '']);
    assert.match(stderr, /^error: The report of pen_scripted could not be written: /);
  });

  it('does not pass a run whose report is withdrawn before its summary is read', async () => {
    const { sortie } = scene((request, before) => {
      if (!request.path.endsWith('/summary')) return whole(request, before);
      return { body: { id: RUN_ID, reportReleased: false, summary: null, untested: [], coverage: null } };
    });
    const { stdout } = await sortie('report', RUN_ID, '--format', 'junit');
    assert.match(stdout, /name="gate">\s*<error /);
  });

  const proof = {
    evidence: [
      {
        label: 'value with a quote',
        request: "GET https://shop.example/?q='",
        response: '500\n\nSQLite error',
        highlights: { request: [], response: [{ start: 5, end: 17 }] },
        isCut: false,
      },
    ],
    evidenceDeletedAt: null,
    curl: null,
    capsule: null,
  };

  it('reads the evidence of each finding, and not for a format without it', async () => {
    const { cwd, sortie, asked } = scene((request, before) =>
      request.path.includes('/findings/') ? { body: { ...scriptedFinding(), ...proof } } : whole(request, before),
    );
    const { exitCode, stderr } = await sortie('report', RUN_ID, '--format', 'html', '-o', 'a.html');
    assert.equal(exitCode, 0, stderr);
    assert.match(readFileSync(path.join(cwd, 'a.html'), 'utf8'), /<mark>SQLite error<\/mark>/);
    const details = () => asked.filter(({ path: each }) => each.includes('/findings/')).length;
    assert.equal(details(), 1);
    await sortie('report', RUN_ID, '--format', 'csv', '-o', 'a.csv');
    assert.equal(details(), 1);
  });

  it('writes the report without evidence if the service answers none, and says so', async () => {
    const findings = Array.from({ length: 9 }, (_, index) => scriptedFinding({ id: `fnd_${index}` }));
    const story = runStory({ looks: [{}], findings });
    const { cwd, sortie, asked } = scene((request, before) =>
      request.path.includes('/findings/') ? refusal(404, 'NOT_FOUND') : story(request, before),
    );
    const { exitCode, stderr } = await sortie('report', RUN_ID, '--format', 'html', '-o', 'a.html');
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /^Reading the evidence of 9 findings …\nThe evidence of 9 findings could not be read: /);
    assert.match(
      readFileSync(path.join(cwd, 'a.html'), 'utf8'),
      /Not included\. View it with: <code>sortie finding view pen_scripted fnd_0</,
    );
    assert.ok(asked.filter(({ path: each }) => each.includes('/findings/')).length < 9);
  });

  it('reads on behind a finding that was excluded meanwhile, and says how many are missing', async () => {
    const findings = Array.from({ length: 9 }, (_, index) => scriptedFinding({ id: `fnd_${index}` }));
    const story = runStory({ looks: [{}], findings });
    const { cwd, sortie } = scene((request, before) => {
      if (request.path.endsWith('/findings/fnd_1')) return refusal(404, 'NOT_FOUND');
      return request.path.includes('/findings/')
        ? { body: { ...scriptedFinding(), ...proof } }
        : story(request, before);
    });
    const { exitCode, stderr } = await sortie('report', RUN_ID, '--format', 'html', '-o', 'a.html');
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /The evidence of 1 finding could not be read: /);
    const page = readFileSync(path.join(cwd, 'a.html'), 'utf8');
    assert.equal(page.match(/<mark>SQLite error<\/mark>/g)?.length, 8);
  });

  it('states the verifications that cover the target, with the rules of its owner', async () => {
    const target = (coveredName: string) => ({
      verificationId: `ver_${coveredName}`,
      origin: `https://${coveredName}`,
      method: 'dns',
      coveredName,
      coveredOrigin: null,
      verified: true,
      verifiedAt: '2026-11-01T10:00:00.000Z',
      expiresAt: '2027-11-01T10:00:00.000Z',
      apiRuns: true,
      rules: { excludedPaths: [`/of-${coveredName}`], requestsPerSecond: null, window: null },
      createdAt: '2026-11-01T10:00:00.000Z',
    });
    const targets = [target('shop.example'), target('hop.example'), target('other.example')];
    const { cwd, sortie } = scene((request, before) =>
      request.path === '/v1/targets' ? { body: { targets, nextOffset: null } } : whole(request, before),
    );
    await sortie('report', RUN_ID, '--format', 'json', '-o', 'a.json');
    const { engagements } = JSON.parse(readFileSync(path.join(cwd, 'a.json'), 'utf8'));
    assert.deepEqual(
      engagements.map((each: { coveredName: string }) => each.coveredName),
      ['shop.example'],
    );
  });

  it('names the folder that does not exist, and how to create it', async () => {
    const { sortie } = scene(whole);
    const { exitCode, stderr } = await sortie('report', RUN_ID, '--format', 'csv', '-o', 'out/deep/a.csv');
    assert.equal(exitCode, 2);
    assert.match(stderr, /the folder out\/deep does not exist\. Create it with: mkdir -p out\/deep\n/);
  });

  for (const [name, script] of Object.entries({
    'run whose findings are not all there': torn,
    'scan whose findings are not all there': tornScan,
    'run whose report is not released': runStory({ looks: [{ reportReleased: false }] }),
  })) {
    it(`skips SARIF for a ${name}, which has no verdict`, async () => {
      const { cwd, sortie } = scene(script);
      const { exitCode, stdout, stderr } = await sortie('report', RUN_ID, ...formats);
      assert.equal(exitCode, 6, stderr);
      assert.deepEqual([JSON.parse(stdout).isJudged, JSON.parse(stdout).files], [false, ['a.json']]);
      assert.equal(existsSync(path.join(cwd, 'a.sarif')), false);
      assert.match(stderr, /^The run has no verdict yet: .*\nSkipping SARIF: the run has no verdict yet\.\n$/);
    });
  }
});

describe('sortie pentest start', () => {
  it('ends with 3 when the second key is answered with a run that has failed, too', async () => {
    const { sortie, asked } = scene(runStory({ looks: [], starts: [started('FAILED')] }));
    const start = ['pentest', 'start', '--target', 'https://shop.example/', '--verification', 'ver_1', '--json'];
    const { exitCode, stdout, stderr } = await sortie(...start);
    assert.equal(exitCode, 3, stderr);
    assert.deepEqual([JSON.parse(stdout).id, JSON.parse(stdout).status], [RUN_ID, 'FAILED']);
    assert.equal(new Set(keysOf(asked)).size, 2);
  });
});
