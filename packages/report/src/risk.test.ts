import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  samplePentest,
  samplePentestFinding,
  sampleScan,
  sampleScanFinding,
} from '@sortie/testing/reports/sample-reports.ts';
import { prepare } from './prepare.ts';
import type { PentestFinding, PentestReport } from './report.ts';
import { overallRisk, prioritiesOf } from './risk.ts';

const riskOf = (findings: PentestFinding[], changes: Partial<PentestReport> = {}) =>
  overallRisk(prepare(samplePentest({ findings, ...changes })));

describe('the overall risk', () => {
  it('is the severity of the worst finding, with how it is derived', () => {
    const { severity, reason } = riskOf([
      samplePentestFinding({ severity: 'LOW' }),
      samplePentestFinding({ severity: 'HIGH' }),
    ]);
    assert.equal(severity, 'HIGH');
    assert.match(reason, /severity of the worst finding.* Here 1 finding counts as high\.$/);
  });

  it('counts a tentative finding one level lower', () => {
    const { severity, reason } = riskOf([samplePentestFinding({ confidence: 'TENTATIVE' })]);
    assert.equal(severity, 'HIGH');
    assert.match(reason, / Here 1 finding counts as high\.$/);
    assert.equal(riskOf([samplePentestFinding({ severity: 'INFO', confidence: 'TENTATIVE' })]).severity, 'INFO');
  });

  it('is not rated without a verdict, and never called low because nothing was found', () => {
    assert.equal(riskOf([], { released: false }).word, 'Not rated');
    assert.equal(riskOf([]).word, 'No findings');
  });

  it('says that it may be higher if checks could not run', () => {
    const untested = [{ group: 'scripting', reason: 'There was no browser.', cure: 'Install Chromium.' }];
    assert.match(riskOf([], { untested }).reason, /the risk may be higher/);
    const checks = { run: 40, passed: 40, failed: 0, notApplicable: 5, notRun: 1 };
    const scanned = (notRun: number) => overallRisk(prepare(sampleScan({ checks: { ...checks, notRun } }))).reason;
    assert.match(scanned(1), /the risk may be higher/);
    assert.doesNotMatch(scanned(0), /the risk may be higher/);
  });
});

describe('what to do first', () => {
  const findings = [
    samplePentestFinding({ id: 'a', cweId: 'CWE-79', severity: 'MEDIUM', cvssScore: '6.1', title: 'XSS' }),
    samplePentestFinding({ id: 'b', cweId: 'CWE-89', title: 'SQL injection in parameter `id` of /products' }),
    samplePentestFinding({ id: 'c', cweId: 'CWE-89', checkId: 'sql-injection-union' }),
    samplePentestFinding({ id: 'd', cweId: 'CWE-78', title: 'OS command injection', impact: 'Full control.' }),
    samplePentestFinding({ id: 'e', cweId: 'CWE-601', severity: 'LOW', cvssScore: '3.1', title: 'Open redirect' }),
    samplePentestFinding({ id: 'f', cweId: 'CWE-200', severity: 'INFO', cvssScore: '0.0', title: 'Note' }),
  ];

  it('is three kinds of weakness, the worst and most frequent first, with reasons and what to change', () => {
    const priorities = prioritiesOf(prepare(samplePentest({ findings })));
    assert.deepEqual(
      priorities.map(({ title, positions }) => [title, positions.length]),
      [
        ['SQL injection', 2],
        ['OS command injection', 1],
        ['XSS', 1],
      ],
    );
    assert.match(
      priorities[0]?.reason ?? '',
      /^2 findings: Critical, confirmed, CVSS 9\.8\. An attacker reads and changes/,
    );
    assert.match(priorities[1]?.reason ?? '', /Full control\.$/);
    assert.equal(priorities[0]?.action, 'Bind the value as a parameter of the statement.');
  });

  it('is by check in a scan, whose checks share a CWE and differ in what to change', () => {
    const scanned = ['hsts-missing', 'clickjacking'].map((checkId) => sampleScanFinding({ checkId }));
    assert.equal(prioritiesOf(prepare(sampleScan({ findings: scanned }))).length, 2);
  });

  it('names nothing that is only informational', () => {
    assert.deepEqual(prioritiesOf(prepare(samplePentest({ findings: findings.slice(-1) }))), []);
  });
});
