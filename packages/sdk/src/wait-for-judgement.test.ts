import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeService, refusal, type Step } from '@sortie/testing/cli/sdk-service.ts';
import { pentestStatuses } from './contract.ts';
import { ApiError } from './errors.ts';
import type { Judgement, JudgementOptions } from './wait-for-judgement.ts';

const pentest = (status: string, reportReleased = false, more: object = {}): Step => ({
  body: { id: 'pen_1', status, reportReleased, ...more },
});

const finding = (severity: string, confidence = 'FIRM') => ({ id: `${severity}-${confidence}`, severity, confidence });

const report = (...severities: string[]): Step => ({
  body: {
    id: 'pen_1',
    reportReleased: true,
    total: severities.length,
    nextOffset: null,
    findings: severities.map((severity) => finding(severity)),
  },
});

const told = (...groups: string[]): Step => ({
  body: {
    id: 'pen_1',
    reportReleased: true,
    summary: 'Tested.',
    untested: groups.map((group) => ({ group, reason: 'No browser is installed.', cure: 'Install Chromium.' })),
  },
});

const unreleased: Step = { body: { id: 'pen_1', reportReleased: false, total: null, nextOffset: null, findings: [] } };

/** Polls every twenty seconds, so that a minute has four polls: at 0, 20, 40 and 60 seconds. */
const minute = { maxWaitMs: 60_000 };

async function judge(steps: Step[], options: JudgementOptions = minute, goesOn = false) {
  const service = createFakeService(goesOn ? steps : [...steps, told()], { goesOn });
  const judgement = await service.client().waitForJudgement('pen_1', options);
  return { judgement, service };
}

const waitedBy = ({ slept }: { slept: number[] }) => slept.reduce((sum, milliseconds) => sum + milliseconds, 0);

function assertKind<Kind extends Judgement['kind']>(
  judgement: Judgement,
  kind: Kind,
): asserts judgement is Extract<Judgement, { kind: Kind }> {
  assert.equal(judgement.kind, kind, JSON.stringify(judgement));
}

describe('COMPLETED with a released report', () => {
  it('passes when nothing counts', async () => {
    const { judgement } = await judge([pentest('COMPLETED', true), report('MEDIUM', 'LOW')]);
    assertKind(judgement, 'passed');
    assert.deepEqual(
      judgement.findings.map(({ severity }) => severity),
      ['MEDIUM', 'LOW'],
    );
    assert.deepEqual(judgement.policy, { failOn: 'HIGH', minConfidence: 'FIRM', maxFindings: 0 });
    assert.equal(judgement.pentest.status, 'COMPLETED');
  });

  it('is undecided at once when checks that apply could not run, unless their groups are accepted', async () => {
    const steps = [pentest('COMPLETED', true), report('LOW'), told('scripting', 'uploads')];
    const { judgement, service } = await judge(steps);
    assertKind(judgement, 'undecided');
    assert.ok(judgement.reason === 'untested');
    assert.deepEqual(
      judgement.untested.map(({ group }) => group),
      ['scripting', 'uploads'],
    );
    assert.deepEqual(service.slept, []);
    const inPart = (await judge(steps, { policy: { acceptUntested: ['uploads'] } })).judgement;
    assert.deepEqual('untested' in inPart && inPart.untested.map(({ group }) => group), ['scripting']);
    const accepted = (await judge(steps, { policy: { acceptUntested: ['uploads', 'scripting'] } })).judgement;
    assertKind(accepted, 'passed');
    assert.equal(accepted.untested.length, 2);
  });

  it('does not pass when the report was taken back before its summary was read', async () => {
    const back: Step = { body: { id: 'pen_1', reportReleased: false, summary: null, untested: [] } };
    const { judgement } = await judge([pentest('COMPLETED', true), report(), back], { maxWaitMs: 0 });
    assertKind(judgement, 'undecided');
  });

  it('passes at a service that has no summaries', async () => {
    const { judgement } = await judge([pentest('COMPLETED', true), report(), refusal(404, 'NOT_FOUND')]);
    assertKind(judgement, 'passed');
  });

  it('fails with the findings that count', async () => {
    const { judgement } = await judge([pentest('COMPLETED', true), report('HIGH', 'LOW')]);
    assertKind(judgement, 'failed');
    assert.deepEqual(judgement.failing, [finding('HIGH')]);
    assert.equal(judgement.findings.length, 2);
  });

  it('fails on a severity that nobody knows', async () => {
    const { judgement } = await judge([pentest('COMPLETED', true), report('GALACTIC')]);
    assertKind(judgement, 'failed');
  });

  it('is judged by the policy that is given', async () => {
    const steps = [pentest('COMPLETED', true), report('HIGH', 'LOW')];
    const kindWith = async (policy: JudgementOptions['policy']) => (await judge(steps, { policy })).judgement.kind;
    assert.equal(await kindWith({ failOn: 'critical' }), 'passed');
    assert.equal(await kindWith({ minConfidence: 'confirmed' }), 'passed');
    assert.equal(await kindWith({ maxFindings: 1 }), 'passed');
    assert.equal(await kindWith({ failOn: 'low', maxFindings: 1 }), 'failed');
    assert.equal(await kindWith({ accept: ({ id }) => id === 'HIGH-FIRM' }), 'passed');
  });

  it('is judged by every page of the findings', async () => {
    const page = (severity: string, nextOffset: number | null): Step => ({
      body: { reportReleased: true, total: 2, nextOffset, findings: [finding(severity)] },
    });
    const { judgement } = await judge([pentest('COMPLETED', true), page('LOW', 100), page('CRITICAL', null)]);
    assertKind(judgement, 'failed');
  });

  it('passes whatever the state of its credits', async () => {
    for (const state of ['RESERVED', 'CHARGED', 'RETURNED', 'NOT_CREDIT_FUNDED', 'IN_GOLD']) {
      const { judgement } = await judge([pentest('COMPLETED', true, { credits: { state } }), report()]);
      assertKind(judgement, 'passed');
    }
  });

  it('does not pass when the report was taken back before its findings were read', async () => {
    const { judgement } = await judge([pentest('COMPLETED', true), unreleased], { maxWaitMs: 0 });
    assertKind(judgement, 'undecided');
    assert.equal(judgement.reason, 'report-not-released');
  });

  it('does not pass on fewer findings than there are', async () => {
    const short: Step = { body: { reportReleased: true, total: 3, nextOffset: null, findings: [finding('LOW')] } };
    const whole = report('LOW');
    const { judgement, service } = await judge([pentest('COMPLETED', true), short, pentest('COMPLETED', true), whole]);
    assertKind(judgement, 'passed');
    assert.deepEqual(service.slept, [20_000]);
  });

  it('does not pass on a report that changes while it is read', async () => {
    const page = (total: number, severity: string, nextOffset: number | null): Step => ({
      body: { reportReleased: true, total, nextOffset, findings: [finding(severity)] },
    });
    const steps = [pentest('COMPLETED', true), page(3, 'LOW', 100), page(2, 'INFO', null)];
    assertKind((await judge(steps, { maxWaitMs: 0 })).judgement, 'undecided');
  });

  it('does not pass on an answer without findings', async () => {
    const odd: Step = { body: { reportReleased: true, total: 0, nextOffset: null } };
    await assert.rejects(
      judge([pentest('COMPLETED', true), odd], { maxWaitMs: 0, maxRetries: 0 }),
      /no list of findings/,
    );
  });

  for (const released of ['true', 1, null, undefined]) {
    it(`is released only when it says true, not ${JSON.stringify(released)}`, async () => {
      const odd: Step = { body: { id: 'pen_1', status: 'COMPLETED', reportReleased: released } };
      assertKind((await judge([odd], { maxWaitMs: 0 })).judgement, 'undecided');
    });
  }
});

describe('COMPLETED without a released report', () => {
  it('is waited for to the end of the time, and then undecided', async () => {
    const { judgement, service } = await judge([pentest('COMPLETED')], minute, true);
    assertKind(judgement, 'undecided');
    assert.equal(judgement.reason, 'report-not-released');
    assert.deepEqual(service.slept, [20_000, 20_000, 20_000]);
    assert.equal(service.received.length, 4);
  });

  it('is judged once it is released', async () => {
    const { judgement } = await judge([pentest('COMPLETED'), pentest('COMPLETED', true), report('CRITICAL')]);
    assertKind(judgement, 'failed');
  });
});

describe('a run that ended without a judgement', () => {
  for (const status of ['FAILED', 'CANCELLED']) {
    it(`is ended when it is ${status}, with what it found`, async () => {
      const { judgement, service } = await judge([pentest(status, true), report('LOW')]);
      assertKind(judgement, 'ended');
      assert.deepEqual([judgement.pentest.status, judgement.findings], [status, [finding('LOW')]]);
      assert.deepEqual(service.slept, []);
    });
  }
});

describe('a run that is not over', () => {
  const needsSomebody = ['PAUSED', 'AWAITING_PAYMENT'];
  const inProgress = pentestStatuses.filter(
    (status) => !['COMPLETED', 'FAILED', 'CANCELLED', ...needsSomebody].includes(status),
  );

  for (const status of inProgress) {
    it(`is undecided at the end of the time when it is ${status}, even with a released report`, async () => {
      const { judgement, service } = await judge([pentest(status, true)], minute, true);
      assertKind(judgement, 'undecided');
      assert.deepEqual([judgement.reason, waitedBy(service)], ['running', 60_000]);
    });
  }

  for (const status of needsSomebody) {
    it(`needs somebody in the dashboard when it is ${status}`, async () => {
      const { judgement } = await judge([pentest(status)], minute, true);
      assertKind(judgement, 'undecided');
      assert.equal(judgement.reason, 'needs-dashboard');
    });
  }

  it('is followed to its end', async () => {
    const steps = ['QUEUED', 'RECON', 'PAUSED', 'REPORTING'].map((status) => pentest(status));
    const { judgement } = await judge([...steps, pentest('COMPLETED', true), report()], { maxWaitMs: 120_000 });
    assertKind(judgement, 'passed');
  });

  it('fails early if that is wanted and its findings so far count, but never passes early', async () => {
    const options = { ...minute, failFast: true };
    const steps = [pentest('RECON', true), report('LOW'), pentest('WEB_TEST', true), report('LOW', 'HIGH')];
    const { judgement } = await judge(steps, options);
    assertKind(judgement, 'failed');
    assert.equal(judgement.pentest.status, 'WEB_TEST');

    const clean = await judge([pentest('RECON', true), report()], { maxWaitMs: 0, failFast: true });
    assertKind(clean.judgement, 'undecided');
  });

  it('does not ask for findings that nobody may read yet', async () => {
    const { service } = await judge([pentest('RECON')], { ...minute, failFast: true }, true);
    assert.ok(service.asked().every((path) => path === 'GET /v1/pentests/pen_1'));
  });
});

describe('a status that nobody knows', () => {
  for (const status of ['DREAMING', '', 'completed', 'PASSED', 'COMPLETED ']) {
    it(`never passes: ${JSON.stringify(status)}`, async () => {
      const { judgement, service } = await judge([pentest(status, true)], { ...minute, failFast: true }, true);
      assertKind(judgement, 'unsupported');
      assert.deepEqual([judgement.status, waitedBy(service)], [status, 60_000]);
    });
  }

  it('never passes when there is none', async () => {
    const { judgement } = await judge([{ body: {} }], { maxWaitMs: 0 });
    assertKind(judgement, 'unsupported');
  });

  it('may be followed by one that is known', async () => {
    const { judgement } = await judge([pentest('DREAMING', true), pentest('COMPLETED', true), report()]);
    assertKind(judgement, 'passed');
  });
});

describe('a refusal while waiting', () => {
  for (const [status, code] of [
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
  ] as const) {
    it(`stops at once: ${status} ${code}`, async () => {
      await assert.rejects(judge([refusal(status, code)]), (error) => error instanceof ApiError && error.code === code);
    });
  }
});

describe('the progress of a wait', () => {
  it('is reported after each poll that did not settle it', async () => {
    const told: unknown[] = [];
    await judge([pentest('QUEUED'), pentest('DREAMING'), pentest('PAUSED'), pentest('COMPLETED')], {
      ...minute,
      onProgress: ({ state, pentest: seen, waitedMs, remainingMs }) =>
        told.push([state, seen.status, waitedMs, remainingMs]),
    });
    assert.deepEqual(told, [
      ['running', 'QUEUED', 0, 60_000],
      ['unsupported', 'DREAMING', 20_000, 40_000],
      ['needs-dashboard', 'PAUSED', 40_000, 20_000],
      ['report-not-released', 'COMPLETED', 60_000, 0],
    ]);
  });
});
