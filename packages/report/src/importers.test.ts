import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readers } from '@sortie/testing/reports/report-readers.ts';
import {
  samplePentest,
  samplePentestFinding,
  sampleScan,
  sampleScanFinding,
} from '@sortie/testing/reports/sample-reports.ts';
import { renderDefectDojo } from './defectdojo.ts';
import { renderGitlabDast } from './gitlab-dast.ts';
import { renderJson } from './json.ts';
import type { Report } from './report.ts';

function gitlabOf(report: Report) {
  const text = renderGitlabDast(report);
  readers['gitlab-dast'](text);
  return JSON.parse(text);
}

function defectDojoOf(report: Report) {
  const text = renderDefectDojo(report);
  readers.defectdojo(text);
  return JSON.parse(text);
}

const bare = {
  description: null,
  affectedUrl: null,
  remediation: null,
  cvssScore: null,
  cweId: null,
  method: null,
  parameter: null,
  checkId: null,
  owaspCategory: null,
  cvssVector: null,
  location: null,
  references: [],
};
const everyKind: readonly Report[] = [
  samplePentest(),
  samplePentest({ findings: [samplePentestFinding(bare)] }),
  samplePentest({ findings: [], startedAt: null, completedAt: null, status: 'QUEUED', released: false }),
  sampleScan(),
  sampleScan({
    findings: [sampleScanFinding({ affectedUrl: null, evidence: null, cweId: null, references: ['none'] })],
  }),
];

describe('GitLab DAST', () => {
  it('holds the rules of the format for every kind of report, with nothing null', () => {
    for (const report of everyKind) assert.doesNotMatch(JSON.stringify(gitlabOf(report)), /null/);
  });

  it('writes times in UTC without a Z', () => {
    const { scan } = gitlabOf(samplePentest());
    assert.deepEqual([scan.start_time, scan.end_time], ['2026-11-15T10:00:05', '2026-11-15T12:30:00']);
  });

  it('places a finding by scheme and host, path, method and parameter', () => {
    const [vulnerability] = gitlabOf(samplePentest()).vulnerabilities;
    assert.deepEqual(vulnerability.location, {
      hostname: 'https://shop.example.com',
      method: 'GET',
      param: 'id',
      path: '/products?id=1',
    });
    assert.equal(vulnerability.severity, 'Critical');
    assert.deepEqual(vulnerability.cvss_vectors, [
      { vendor: 'Sortie', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
    ]);
    assert.deepEqual(
      vulnerability.identifiers.map(({ type, value }: { type: string; value: string }) => [type, value]),
      [
        ['sortie', 'sql-injection-error'],
        ['cwe', '89'],
        ['owasp', 'A03:2021'],
      ],
    );
  });

  it('calls a run that was not judged a failure, with the reason', () => {
    const { scan } = gitlabOf(samplePentest({ released: false, findings: [] }));
    assert.equal(scan.status, 'failure');
    assert.match(scan.messages[0].value, /not released/);
    assert.equal(gitlabOf(samplePentest()).scan.status, 'success');
  });

  it('cuts what is longer than the format allows', () => {
    const long = 'word '.repeat(300_000);
    const findings = [samplePentestFinding({ title: long, description: long, remediation: long })];
    assert.ok(gitlabOf(samplePentest({ findings })).vulnerabilities[0].name.startsWith('word word'));
  });
});

describe('DefectDojo', () => {
  it('has only keys that the importer lists, for every kind of report, and nothing null', () => {
    for (const report of everyKind) assert.doesNotMatch(JSON.stringify(defectDojoOf(report)), /null/);
  });

  it('keeps the address, the score and the fingerprint', () => {
    const [finding] = defectDojoOf(samplePentest()).findings;
    assert.deepEqual(finding.endpoints, ['https://shop.example.com/products?id=1']);
    assert.equal(finding.cvssv3, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H');
    assert.equal(finding.cvssv3_score, 9.8);
    assert.equal(finding.vuln_id_from_tool, 'sql-injection-error');
    assert.match(finding.references, /^https:\/\/cheatsheetseries\.owasp\.org\//);
    assert.equal(finding.cwe, 89);
    assert.equal(finding.unique_id_from_tool, 'a'.repeat(64));
  });

  it('calls only what was proved verified', () => {
    const findings = [samplePentestFinding({ confidence: 'FIRM' }), samplePentestFinding()];
    const verified = defectDojoOf(samplePentest({ findings })).findings.map(
      (each: { verified: boolean }) => each.verified,
    );
    assert.deepEqual(verified, [true, false]);
  });
});

describe('JSON', () => {
  it('is one document with a version and the findings as the API answers them', () => {
    const report = sampleScan();
    assert.deepEqual(JSON.parse(renderJson(report)), { version: 1, ...report });
  });
});
