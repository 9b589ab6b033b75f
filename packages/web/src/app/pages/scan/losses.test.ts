import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lossesOf } from './losses.ts';

const finding = (category: string, scoreImpact: number) => ({ category, scoreImpact });

describe('the points that groups of checks have cost', () => {
  it('are the sums of their findings, the most expensive group first', () => {
    const findings = [finding('csp', 25), finding('headers', 8), finding('headers', 3), finding('cookies', 12)];
    assert.deepEqual(lossesOf(findings), [
      { group: 'csp', points: 25, failed: 1 },
      { group: 'cookies', points: 12, failed: 1 },
      { group: 'headers', points: 11, failed: 2 },
    ]);
  });

  it('are listed for groups that cost nothing, too: the one with more failed checks first', () => {
    const losses = lossesOf([finding('dns', 0), finding('hygiene', 0), finding('hygiene', 0)]);
    assert.deepEqual(
      losses.map(({ group }) => group),
      ['hygiene', 'dns'],
    );
  });
});
