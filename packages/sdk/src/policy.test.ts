import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { confidences, severities } from './contract.ts';
import { countingFindings, ownFingerprintsOf, readPolicy } from './policy.ts';

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

  it('with newOnly does not count what is open since an earlier run, and everything of unknown history', () => {
    const told = ['NEW', 'OPEN', 'REGRESSION', 'LATER', undefined].map((history) => ({
      ...finding('HIGH', 'FIRM'),
      history,
    }));
    assert.deepEqual(
      countingFindings(told, { newOnly: true }).map(({ history }) => history),
      ['NEW', 'REGRESSION', 'LATER', undefined],
    );
    assert.equal(countingFindings(told).length, told.length);
    assert.equal(readPolicy({ newOnly: true }).newOnly, true);
    assert.ok(!('newOnly' in readPolicy({ newOnly: false })));
  });

  it('tells findings apart that earlier releases gave one fingerprint', () => {
    const known = {
      fingerprint: 'a',
      formerFingerprints: ['both'],
      places: [{ fingerprints: ['a'] }, { fingerprints: ['b'] }],
    };
    assert.deepEqual([...new Set(ownFingerprintsOf(known))], ['a', 'b']);
    const other = { ...finding('HIGH', 'FIRM'), fingerprint: 'c', formerFingerprints: ['both'] };
    assert.equal(countingFindings([other], { baseline: new Set(ownFingerprintsOf(known)) }).length, 1);
  });

  it('with a baseline does not count what it has under any fingerprint, whatever the history', () => {
    const printed = (fingerprint: string, formerFingerprints?: string[]) => ({
      ...finding('HIGH', 'FIRM'),
      history: 'OPEN',
      fingerprint,
      formerFingerprints,
    });
    const found = [printed('a'), printed('b', ['b-before']), printed('c', ['c-before'])];
    const baseline = new Set(['a', 'c-before']);
    for (const newOnly of [true, false]) {
      const counted = countingFindings(found, { newOnly, baseline });
      assert.deepEqual(
        counted.map(({ fingerprint }) => fingerprint),
        ['b'],
      );
    }
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
