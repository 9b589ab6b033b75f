import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { confidences, type Severity, severities } from '@sortie/contract';
import fc from 'fast-check';
import { type Group, gradeOf, groupLimits, judge, type Scorable } from './score.ts';

const groups = Object.keys(groupLimits) as Group[];
const finding = (checkId: string, group: Group, severity: Severity, confidence: Scorable['confidence'] = 'FIRM') => ({
  checkId,
  group,
  severity,
  confidence,
});
const sum = (findings: readonly { scoreImpact: number }[]) => findings.reduce((all, one) => all + one.scoreImpact, 0);
const impacts = (found: readonly Scorable[]) =>
  judge(found).findings.map(({ checkId, scoreImpact }) => [checkId, scoreImpact]);

describe('the score', () => {
  it('is 100 when nothing was found', () => {
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

  it('takes nothing for what is tentative, and does not let it hide what is not', () => {
    const found = [finding('a', 'csp', 'CRITICAL', 'TENTATIVE'), finding('a', 'csp', 'LOW')];
    assert.deepEqual(impacts(found), [
      ['a', 0],
      ['a', 3],
    ]);
  });

  it('takes no more for a group than its limit, and cuts the least of it', () => {
    const found = [finding('a', 'dns', 'LOW'), finding('b', 'dns', 'MEDIUM'), finding('c', 'dns', 'MEDIUM')];
    assert.deepEqual(impacts(found), [
      ['b', 8],
      ['c', 7],
      ['a', 0],
    ]);
    assert.equal(judge(found).score, 85);
  });

  it('counts the worst of a group in full, whatever the limit', () => {
    const found = [finding('a', 'hygiene', 'CRITICAL'), finding('b', 'hygiene', 'LOW')];
    assert.deepEqual(impacts(found), [
      ['a', 55],
      ['b', 0],
    ]);
  });

  it('ends at 0, and the last finding takes what is left', () => {
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

  it('is graded at these borders', () => {
    const borders = [97, 96, 90, 89, 80, 79, 65, 64, 50, 49, 0].map(gradeOf);
    assert.deepEqual(borders, ['A+', 'A', 'A', 'B', 'B', 'C', 'C', 'D', 'D', 'F', 'F']);
  });
});

describe('the score of any findings', () => {
  // Few checks, each always in its own group, so that findings meet in checks and checks in groups.
  const anyFinding = fc
    .record({
      number: fc.nat(29),
      severity: fc.constantFrom(...severities),
      confidence: fc.constantFrom(...confidences),
    })
    .map(({ number, severity, confidence }) =>
      finding(`check-${number}`, groups[number % groups.length] ?? 'dns', severity, confidence),
    );
  const anyFindings = fc.array(anyFinding, { maxLength: 40 });
  const runs = { numRuns: 4_000 };
  const withShuffled = anyFindings.chain((found) =>
    fc.tuple(fc.constant(found), fc.shuffledSubarray(found, { minLength: found.length })),
  );

  it('does not depend on their order, nor do the impacts', () => {
    fc.assert(
      fc.property(withShuffled, ([found, shuffled]) => assert.deepEqual(judge(found), judge(shuffled))),
      runs,
    );
  });

  it('never rises by one more finding', () => {
    fc.assert(
      fc.property(anyFindings, anyFinding, (found, more) => judge([...found, more]).score <= judge(found).score),
      runs,
    );
  });

  it('is what the impacts leave of 100, a whole number that is never below 0', () => {
    fc.assert(
      fc.property(anyFindings, (found) => {
        const { score, findings } = judge(found);
        assert.equal(sum(findings), 100 - score);
        assert.ok(Number.isInteger(score) && score >= 0);
        assert.ok(findings.every(({ scoreImpact }) => Number.isInteger(scoreImpact) && scoreImpact >= 0));
        assert.equal(findings.length, found.length);
      }),
      runs,
    );
  });

  it('is that of the rule, written down in another way', () => {
    const cost = { CRITICAL: 55, HIGH: 25, MEDIUM: 8, LOW: 3, INFO: 0 };
    fc.assert(
      fc.property(anyFindings, (found) => {
        const certain = found.filter(({ confidence }) => confidence !== 'TENTATIVE');
        const lost = groups.map((group) => {
          const checks = Map.groupBy(
            certain.filter((one) => one.group === group),
            ({ checkId }) => checkId,
          );
          const costs = [...checks.values()].map((ones) => Math.max(...ones.map(({ severity }) => cost[severity])));
          return Math.max(
            0,
            ...costs,
            Math.min(
              groupLimits[group],
              costs.reduce((all, one) => all + one, 0),
            ),
          );
        });
        assert.equal(judge(found).score, Math.max(0, 100 - lost.reduce((all, one) => all + one, 0)));
      }),
      runs,
    );
  });

  it('comes with the findings worst first', () => {
    fc.assert(
      fc.property(anyFindings, (found) => {
        const order = judge(found).findings.map(({ severity }) => severities.indexOf(severity));
        assert.deepEqual(
          order,
          order.toSorted((left, right) => left - right),
        );
      }),
      runs,
    );
  });
});
