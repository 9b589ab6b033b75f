import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { confidences, severities } from './contract.ts';
import { countingFindings, readPolicy } from './policy.ts';

const finding = (severity: string, confidence: string) => ({ severity, confidence });
const all = severities.flatMap((severity) => confidences.map((confidence) => finding(severity, confidence)));
const names = (findings: { severity: string; confidence: string }[]) =>
  findings.map(({ severity, confidence }) => `${severity} ${confidence}`);

describe('a policy', () => {
  it('counts what is at least HIGH and FIRM unless told otherwise', () => {
    assert.deepEqual(readPolicy(), { failOn: 'HIGH', minConfidence: 'FIRM', maxFindings: 0 });
    assert.deepEqual(names(countingFindings(all)), [
      'CRITICAL CONFIRMED',
      'CRITICAL FIRM',
      'HIGH CONFIRMED',
      'HIGH FIRM',
    ]);
  });

  it('counts more the milder it says, and less the surer it wants to be', () => {
    for (const [index, failOn] of severities.entries()) {
      for (const [rank, minConfidence] of confidences.entries()) {
        const counted = countingFindings(all, { failOn, minConfidence });
        assert.equal(counted.length, (index + 1) * (rank + 1), `${failOn} ${minConfidence}`);
      }
    }
  });

  it('may be written in lowercase', () => {
    assert.deepEqual(readPolicy({ failOn: 'low', minConfidence: 'tentative', maxFindings: 3 }), {
      failOn: 'LOW',
      minConfidence: 'TENTATIVE',
      maxFindings: 3,
    });
  });

  it('counts every finding of a severity or a confidence that it does not know', () => {
    const odd = [
      finding('APOCALYPTIC', 'TENTATIVE'),
      finding('INFO', 'PROVEN'),
      finding('', ''),
      finding('high', 'FIRM'),
    ];
    assert.deepEqual(countingFindings(odd, { failOn: 'CRITICAL', minConfidence: 'CONFIRMED' }), odd);
  });

  it('does not count what somebody has accepted', () => {
    const accepted = countingFindings(all, { accept: ({ severity }) => severity === 'CRITICAL' });
    assert.deepEqual(names(accepted), ['HIGH CONFIRMED', 'HIGH FIRM']);
  });

  for (const [name, policy] of Object.entries({
    'a severity': { failOn: 'hihg' },
    'a confidence': { minConfidence: '' },
    'a negative number': { maxFindings: -1 },
    'a number that is none': { maxFindings: Number.NaN },
    'half a finding': { maxFindings: 0.5 },
  })) {
    it(`with ${name} that means nothing is refused, and lets nothing through`, () => {
      assert.throws(() => readPolicy(policy as never), RangeError);
      assert.throws(() => countingFindings([], policy as never), RangeError);
    });
  }
});
