import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Severity } from '@sortie/contract';
import { type Group, gradeOf, judge, type Scorable } from './score.ts';

const finding = (checkId: string, group: Group, severity: Severity, confidence: Scorable['confidence'] = 'FIRM') => ({
  checkId,
  group,
  severity,
  confidence,
});
const impacts = (found: readonly Scorable[]) =>
  judge(found).findings.map(({ checkId, scoreImpact }) => [checkId, scoreImpact]);

describe('the score', () => {
  it('is 100 without findings', () => {
    assert.deepEqual(judge([]), { score: 100, grade: 'A+', findings: [] });
  });

  for (const [severity, score, grade] of [
    ['CRITICAL', 45, 'F'],
    ['HIGH', 75, 'C'],
    ['MEDIUM', 92, 'A'],
    ['LOW', 97, 'A+'],
    ['INFO', 100, 'A+'],
  ] as const) {
    it(`of one ${severity} finding is ${score}, ${grade}`, () => {
      const judged = judge([finding('a', 'dns', severity)]);
      assert.deepEqual([judged.score, judged.grade], [score, grade]);
    });
  }

  it('counts a check once, by its worst finding', () => {
    const found = [
      finding('a', 'cookies', 'LOW'),
      finding('a', 'cookies', 'MEDIUM'),
      finding('a', 'cookies', 'MEDIUM'),
    ];
    assert.deepEqual(impacts(found), [
      ['a', 8],
      ['a', 0],
      ['a', 0],
    ]);
  });

  it('deducts nothing for a tentative finding and still counts a firm one of the same check', () => {
    const found = [finding('a', 'csp', 'CRITICAL', 'TENTATIVE'), finding('a', 'csp', 'LOW')];
    assert.deepEqual(impacts(found), [
      ['a', 0],
      ['a', 3],
    ]);
  });

  it('deducts at most the limit of a group and cuts the smallest deductions', () => {
    const found = [finding('a', 'dns', 'LOW'), finding('b', 'dns', 'MEDIUM'), finding('c', 'dns', 'MEDIUM')];
    assert.deepEqual(impacts(found), [
      ['b', 8],
      ['c', 7],
      ['a', 0],
    ]);
    assert.equal(judge(found).score, 85);
  });

  it('counts the worst check of a group in full, regardless of the limit', () => {
    const found = [finding('a', 'hygiene', 'CRITICAL'), finding('b', 'hygiene', 'LOW')];
    assert.deepEqual(impacts(found), [
      ['a', 55],
      ['b', 0],
    ]);
  });

  it('stops at 0, and the last finding deducts the remainder', () => {
    const found = [
      finding('b', 'transport', 'CRITICAL'),
      finding('a', 'certificate', 'CRITICAL'),
      finding('c', 'cors', 'HIGH'),
    ];
    assert.deepEqual(impacts(found), [
      ['a', 55],
      ['b', 45],
      ['c', 0],
    ]);
    assert.deepEqual([judge(found).score, judge(found).grade], [0, 'F']);
  });

  it('has these grade boundaries', () => {
    const borders = [97, 96, 90, 89, 80, 79, 65, 64, 50, 49, 0].map(gradeOf);
    assert.deepEqual(borders, ['A+', 'A', 'A', 'B', 'B', 'C', 'C', 'D', 'D', 'F', 'F']);
  });
});
