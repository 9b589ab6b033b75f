import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeRun, isOver, phases } from './status.ts';

type Run = Parameters<typeof describeRun>[0];

function run(status: string, reportReleased = false, state: Run['credits']['state'] = 'RESERVED'): Run {
  const credits = { reserved: 120, charged: null, returned: null, state };
  return { status: status as Run['status'], reportReleased, credits };
}

const settled: Run['credits'] = { reserved: 120, charged: 90, returned: 30, state: 'CHARGED' };

describe('the words of a run', () => {
  it('say that it has passed only when its report is released', () => {
    const statuses = ['QUEUED', 'PAUSED', 'AWAITING_PAYMENT', ...phases, 'FAILED', 'CANCELLED', 'CALIBRATION'];
    for (const status of statuses) {
      for (const released of [false, true]) assert.notEqual(describeRun(run(status, released)).tone, 'pass', status);
    }
    assert.equal(describeRun(run('COMPLETED')).status, 'Testing finished, report in review');
    assert.deepEqual(describeRun({ ...run('COMPLETED', true), credits: settled }), {
      tone: 'pass',
      status: 'Report released',
      detail: '90 credits charged, 30 returned',
    });
  });

  it('of a status that is not known name it, as in progress', () => {
    assert.equal(describeRun(run('CALIBRATION')).status, 'In progress (CALIBRATION)');
    assert.ok(!isOver(run('CALIBRATION')));
    assert.deepEqual(
      ['COMPLETED', 'FAILED', 'CANCELLED'].map((status) => isOver(run(status))),
      [true, true, true],
    );
  });

  it('count the phases, and call findings before the end no result', () => {
    assert.equal(describeRun(run('RECON')).status, 'Testing: Recon (2 of 7)');
    assert.equal(describeRun(run('RECON', true)).detail, 'Not a final result');
  });
});
