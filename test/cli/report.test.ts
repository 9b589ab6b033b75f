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
