import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplePentest, samplePentestFinding } from '@sortie/testing/reports/sample-reports.ts';
import { isOverPolicy, prepare, safeReport } from './prepare.ts';

const policy = { failOn: 'HIGH', minConfidence: 'FIRM' } as const;

it('masks a report once, whatever the number of formats', () => {
  const report = samplePentest();
  assert.equal(safeReport(report), safeReport(report));
});

describe('what a report lists', () => {
  it('is worst first: by severity, then confidence, then score', () => {
    const findings = [
      samplePentestFinding({ id: 'd', severity: 'LOW' }),
      samplePentestFinding({ id: 'c', severity: 'HIGH', confidence: 'FIRM' }),
      samplePentestFinding({ id: 'b', severity: 'HIGH', cvssScore: '7.1' }),
      samplePentestFinding({ id: 'a', severity: 'HIGH', cvssScore: '8.8' }),
    ];
    assert.deepEqual(
      prepare(samplePentest({ findings })).findings.map(({ id }) => id),
      ['a', 'b', 'c', 'd'],
    );
  });

  it('takes a weight that it does not know for the worst, and says so', () => {
    const findings = [samplePentestFinding({ severity: 'DREADFUL', confidence: 'LIKELY' })];
    const [finding] = prepare(samplePentest({ findings })).findings;
    assert.ok(finding && isOverPolicy(finding, policy));
    assert.equal(finding.title, 'SQL injection (rated DREADFUL, LIKELY by the service)');
  });

  it('takes a finding of a service that does not answer what identifies it', () => {
    const { checkId, owaspCategory, cvssVector, location, references, ...earlier } = samplePentestFinding();
    assert.ok(checkId && owaspCategory && cvssVector && location && references);
    const [finding] = prepare(samplePentest({ findings: [earlier] })).findings;
    assert.deepEqual(
      [finding?.ruleId, finding?.checkId, finding?.owaspCategory, finding?.cvssVector, finding?.location],
      ['CWE-89', null, null, null, null],
    );
    assert.deepEqual(finding?.references, []);
  });

  it('has the check as the rule, and the fingerprint of the finding whatever the rule is', () => {
    const findings = [samplePentestFinding(), samplePentestFinding({ checkId: null })];
    const [known, unknown] = prepare(samplePentest({ findings })).findings;
    assert.deepEqual([known?.ruleId, unknown?.ruleId], ['sql-injection-error', 'CWE-89']);
    assert.equal(known?.fingerprint, unknown?.fingerprint);
  });

  it('lets a finding pass that somebody has accepted', () => {
    const [finding] = prepare(samplePentest()).findings;
    assert.ok(finding && isOverPolicy(finding, policy));
    assert.ok(!isOverPolicy(finding, { ...policy, accepted: [finding.id] }));
  });
});
