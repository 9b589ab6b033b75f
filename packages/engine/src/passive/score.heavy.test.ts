import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { confidences, severities } from '@sortie/contract';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import fc from 'fast-check';
import { type Group, groupLimits, judge, type Scorable, type ScoredFindings } from './score.ts';

const SETS = isFull ? 300_000 : 5_000;
const points = { CRITICAL: 55, HIGH: 25, MEDIUM: 8, LOW: 3, INFO: 0 };
const groups = Object.keys(groupLimits) as Group[];
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

// Few checks with fixed groups, so that many findings share a check and many checks share a group.
const CHECKS = 24;
const every = Array.from({ length: CHECKS }, (_, number) => number).flatMap((number) =>
  severities.flatMap((severity) =>
    confidences.map((confidence) => {
      const group = groups[number % groups.length] ?? 'dns';
      return { checkId: `check-${number}`, group, severity, confidence } satisfies Scorable;
    }),
  ),
);
const anyFinding = fc.constantFrom(...every);
const anySet = fc
  .array(anyFinding, { maxLength: 16, size: 'max' })
  .chain((found) => fc.tuple(fc.constant(found), fc.shuffledSubarray(found, { minLength: found.length }), anyFinding));

const costOf = ({ confidence, severity }: Scorable) => (confidence === 'TENTATIVE' ? 0 : points[severity]);

/** Independent second implementation of the scoring rules. */
function scoreByTheBook(found: readonly Scorable[]): number {
  const lost = groups.map((group) => {
    const ofGroup = found.filter((one) => one.group === group);
    const worst = new Map<string, number>();
    for (const one of ofGroup) worst.set(one.checkId, Math.max(worst.get(one.checkId) ?? 0, costOf(one)));
    const costs = [...worst.values()];
    return Math.max(0, ...costs, Math.min(groupLimits[group], sum(costs)));
  });
  return Math.max(0, 100 - sum(lost));
}

/** Much faster than a deep comparison. */
const isSame = (one: ScoredFindings<Scorable>, other: ScoredFindings<Scorable>) =>
  one.score === other.score &&
  one.findings.every(({ checkId, severity, confidence, scoreImpact }, index) => {
    const same = other.findings[index];
    return (
      same?.checkId === checkId &&
      same.severity === severity &&
      same.confidence === confidence &&
      same.scoreImpact === scoreImpact
    );
  });

function assertHolds([found, shuffled, more]: [Scorable[], Scorable[], Scorable]): number {
  const judged = judge(found);
  const { score, findings } = judged;
  const impacts = findings.map(({ scoreImpact }) => scoreImpact);
  assert.ok(isSame(judge(shuffled), judged), 'it depends on the order');
  assert.ok(judge([...found, more]).score <= score, 'one more finding raises it');
  assert.equal(sum(impacts), 100 - score, 'the impacts are not what it lacks');
  assert.ok(impacts.every((impact) => Number.isInteger(impact) && impact >= 0));
  assert.ok(score >= 0 && score <= 100 - Math.max(0, ...found.map(costOf)), 'the worst does not count in full');
  assert.equal(score, scoreByTheBook(found));
  assert.equal(findings.length, found.length);
  const order = findings.map(({ severity }) => severities.indexOf(severity));
  assert.ok(
    order.every((rank, index) => rank >= (order[index - 1] ?? 0)),
    'not the worst first',
  );
  return score;
}

describe('the score of any findings', () => {
  it('depends on no order, never rises with more, is what the impacts leave, and less the worst in full', () => {
    const seen = new Set<number>();
    fc.assert(
      fc.property(anySet, (set) => void seen.add(assertHolds(set))),
      { numRuns: SETS },
    );
    console.log(`${SETS} sets of findings, ${seen.size} different scores`);
    assert.ok(seen.size > 60, 'too few scores were reached');
  });
});
