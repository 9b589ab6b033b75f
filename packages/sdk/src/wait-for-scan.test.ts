import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeService, refusal, type Step } from '@sortie/testing/cli/sdk-service.ts';
import type { ScanJudgement, ScanWaitOptions } from './wait-for-scan.ts';

const scan = (status: string, score: unknown = null, more: object = {}): Step => ({
  body: { id: 'scn_1', status, score, failure: null, ...more },
});

const finding = (severity: string) => ({ id: severity, severity, confidence: 'CONFIRMED' });

const findings = (...severities: string[]): Step => ({
  body: { total: severities.length, nextOffset: null, findings: severities.map(finding) },
});

/** Polls every five seconds. */
const tenSeconds = { maxWaitMs: 10_000 };

async function judge(steps: Step[], options: ScanWaitOptions = tenSeconds, goesOn = false) {
  const service = createFakeService(steps, { goesOn });
  return { judgement: await service.client().waitForScan('scn_1', options), service };
}

function assertKind<Kind extends ScanJudgement['kind']>(
  judgement: ScanJudgement,
  kind: Kind,
): asserts judgement is Extract<ScanJudgement, { kind: Kind }> {
  assert.equal(judgement.kind, kind, JSON.stringify(judgement));
}

describe('a scan that is COMPLETED', () => {
  it('passes with a score, when nothing counts', async () => {
    const { judgement, service } = await judge([scan('STARTED'), scan('COMPLETED', 92), findings('MEDIUM')]);
    assertKind(judgement, 'passed');
    assert.deepEqual([judgement.score, judgement.findings], [92, [finding('MEDIUM')]]);
    assert.deepEqual(service.slept, [5_000]);
  });

  it('fails with the findings that count', async () => {
    const { judgement } = await judge([scan('COMPLETED', 40), findings('CRITICAL', 'LOW')]);
    assertKind(judgement, 'failed');
    assert.deepEqual([judgement.failing, judgement.isScoreTooLow], [[finding('CRITICAL')], false]);
  });

  it('fails when its score is lower than wanted', async () => {
    const steps = [scan('COMPLETED', 89), findings('LOW')];
    const { judgement } = await judge(steps, { policy: { minScore: 90 } });
    assertKind(judgement, 'failed');
    assert.deepEqual([judgement.failing, judgement.isScoreTooLow], [[], true]);
    assertKind((await judge(steps, { policy: { minScore: 89 } })).judgement, 'passed');
  });

  it('passes with a score of 0 only if the policy lets it', async () => {
    assertKind((await judge([scan('COMPLETED', 0), findings()])).judgement, 'passed');
    assertKind((await judge([scan('COMPLETED', 0), findings()], { policy: { minScore: 1 } })).judgement, 'failed');
  });

  for (const score of [null, undefined, '100']) {
    it(`never passes with the score ${JSON.stringify(score)}`, async () => {
      const failure = { code: 'UNREACHABLE', message: 'Nobody answered.' };
      const { judgement } = await judge([scan('COMPLETED', score, { failure })]);
      assertKind(judgement, 'ended');
      assert.deepEqual(judgement.scan.failure, failure);
    });
  }

  it('does not pass on fewer findings than there are', async () => {
    const short: Step = { body: { total: 2, nextOffset: null, findings: [finding('LOW')] } };
    const { judgement } = await judge([scan('COMPLETED', 90), short], { maxWaitMs: 0 });
    assertKind(judgement, 'undecided');
  });
});

describe('a scan that is not', () => {
  it('is undecided at the end of the time', async () => {
    const { judgement, service } = await judge([scan('STARTED')], tenSeconds, true);
    assertKind(judgement, 'undecided');
    assert.deepEqual(service.slept, [5_000, 5_000]);
  });

  it('is unsupported when nobody knows its status', async () => {
    const { judgement } = await judge([scan('POLISHED', 100)], tenSeconds, true);
    assertKind(judgement, 'unsupported');
    assert.equal(judgement.status, 'POLISHED');
  });

  it('tells its progress', async () => {
    const told: unknown[] = [];
    const onProgress: ScanWaitOptions['onProgress'] = ({ state, scan: seen, remainingMs }) =>
      told.push([state, seen.status, remainingMs]);
    await judge([scan('STARTED'), scan('POLISHED'), scan('COMPLETED', 90), findings()], { ...tenSeconds, onProgress });
    assert.deepEqual(told, [
      ['running', 'STARTED', 10_000],
      ['unsupported', 'POLISHED', 5_000],
    ]);
  });

  it('stops at a refusal', async () => {
    await assert.rejects(judge([refusal(404, 'NOT_FOUND')]), { code: 'NOT_FOUND' });
  });

  for (const minScore of [-1, 101, Number.NaN]) {
    it(`is not even asked for with a score of at least ${minScore}`, async () => {
      await assert.rejects(judge([], { policy: { minScore } }), RangeError);
    });
  }
});
