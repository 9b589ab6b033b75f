import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  act,
  answers,
  playPentest,
  playScan,
  playService,
  readWritten,
  start,
} from '@sortie/testing/cli/github-action.ts';
import { samplePentestFinding, sampleScanFinding } from '@sortie/testing/reports/sample-reports.ts';

/** Claims nothing of what was not read: no SARIF, no counts, not even zeros in the summary. */
function assertUndecided({ code, outputs, summary }: Awaited<ReturnType<typeof act>>, exitCode: string): void {
  assert.equal(code, 1);
  assert.deepEqual([outputs.verdict, outputs['exit-code']], ['undecided', exitCode]);
  assert.equal(outputs['report-released'], 'false');
  const unsaid = ['sarif-file', 'critical', 'high', 'medium', 'low', 'info'].filter((name) => name in outputs);
  assert.deepEqual(unsaid, []);
  assert.equal(readWritten('none.sarif'), null);
  assert.match(summary, /\*\*Gate undecided\*\*/);
  assert.doesNotMatch(summary, /\| 0 \|/);
}

describe('the verdict of the action for GitHub', () => {
  playService();

  it('passes a clean, released report and writes what was asked for', async () => {
    playPentest([]);
    const { code, outputs, summary } = await act({
      mode: 'gate',
      'run-id': 'pnt_1',
      sarif: 'out/a.sarif',
      junit: 'out/a.xml',
    });
    assert.equal(code, 0);
    assert.deepEqual([outputs.verdict, outputs['exit-code'], outputs['report-released']], ['passed', '0', 'true']);
    assert.deepEqual(JSON.parse(readWritten('out/a.sarif') ?? '').runs[0].results, []);
    assert.match(readWritten('out/a.xml') ?? '', /name="gate"/);
    assert.match(summary, /\*\*Gate passed\*\*/);
  });

  it('fails on a finding over the policy and counts what there is', async () => {
    playPentest([samplePentestFinding(), samplePentestFinding({ id: 'b', severity: 'LOW' })]);
    const { code, outputs, log } = await act({ ...start, mode: 'start-and-gate' }, {}, { isOwnProcess: true });
    assert.equal(code, 1);
    assert.deepEqual([outputs.verdict, outputs['exit-code']], ['failed', '1']);
    assert.deepEqual([outputs.critical, outputs.high, outputs.low], ['1', '0', '1']);
    assert.match(log, /::error::1 finding of at least HIGH and FIRM/);
  });

  for (const [name, changes, exitCode] of [
    ['a run that failed', { status: 'FAILED' }, '3'],
    ['a run that is still going when the wait is used up', { status: 'RECON', completedAt: null }, '6'],
    ['a report that is not released', { reportReleased: false }, '6'],
    ['a status that it does not know', { status: 'SOMETHING_NEW' }, '7'],
  ] as const) {
    it(`never passes ${name}, and closes no alerts`, async () => {
      playPentest([], changes);
      const judged = await act({ mode: 'gate', 'run-id': 'pnt_1', 'max-wait': '0s', sarif: 'none.sarif' });
      assertUndecided(judged, exitCode);
    });
  }

  for (const [name, changes] of [
    ['was taken back while it was read', { reportReleased: false, total: null }],
    ['has more findings than could be read', { total: 3 }],
  ] as const) {
    it(`never passes a released report that ${name}, and closes no alerts`, async () => {
      playPentest([]);
      const page = { id: 'pnt_1', reportReleased: true, nextOffset: null, findings: [], ...changes };
      answers['GET /v1/pentests/pnt_1/findings'] = { body: page };
      const judged = await act({ mode: 'gate', 'run-id': 'pnt_1', 'max-wait': '0s', sarif: 'none.sarif' });
      assertUndecided(judged, '6');
      assert.match(judged.log, /::error::The run is completed, but its findings changed while they were read/);
    });
  }

  it('never passes a run whose checks could not run, unless their groups are accepted, and closes no alerts', async () => {
    playPentest([]);
    const untested = [{ group: 'scripting', reason: 'No browser is installed.', cure: 'Install Chromium.' }];
    answers['GET /v1/pentests/pnt_1/summary'] = {
      body: { id: 'pnt_1', reportReleased: true, summary: 'Tested.', untested },
    };
    const judging = { mode: 'gate', 'run-id': 'pnt_1', sarif: 'none.sarif' };
    const judged = await act(judging);
    assertUndecided(judged, '9');
    assert.match(judged.log, /::error::Applicable checks could not run\. scripting: No browser is installed\. Install/);
    const accepted = await act({ mode: 'gate', 'run-id': 'pnt_1', 'accept-untested': 'scripting, uploads' });
    assert.deepEqual([accepted.outputs.verdict, accepted.outputs['exit-code']], ['passed', '0']);
  });

  it('never passes a scan that has more findings than could be read, and closes no alerts', async () => {
    playScan([], 2);
    const judged = await act({ mode: 'scan', target: start.target, 'max-wait': '0s', sarif: 'none.sarif' });
    assertUndecided(judged, '6');
    assert.match(judged.log, /::error::The run is completed, but its findings changed while they were read/);
  });

  it('scans, waits and judges', async () => {
    playScan([sampleScanFinding({ severity: 'HIGH' })]);
    const { code, outputs, summary } = await act({ mode: 'scan', target: start.target });
    assert.equal(code, 1);
    assert.deepEqual([outputs.verdict, outputs.high, outputs['run-id']], ['failed', '1', 'scn_1']);
    assert.match(summary, /score 75 of 100, grade C/);
  });
});
