import type { PentestFinding, PentestReport, ScanFinding, ScanReport } from '../../../report/src/report.ts';

const times = {
  createdAt: '2026-11-15T10:00:00.123Z',
  startedAt: '2026-11-15T10:00:05.000Z',
  completedAt: '2026-11-15T12:30:00.456Z',
};

export const sampleScanFinding = (changes: Partial<ScanFinding> = {}): ScanFinding => ({
  id: 'fnd_1',
  checkId: 'clickjacking-unprotected',
  title: 'Clickjacking: page can be framed by any site',
  description: 'An attacker can load the page in an invisible frame over a decoy.',
  severity: 'MEDIUM',
  confidence: 'CONFIRMED',
  category: 'headers',
  affectedUrl: 'https://shop.example.com/basket?item=1',
  evidence: 'x-frame-options: (not sent)',
  remediation: "Send Content-Security-Policy: frame-ancestors 'self'.",
  cweId: 'CWE-1021',
  scoreImpact: 8,
  references: ['https://www.w3.org/TR/CSP3/#directive-frame-ancestors'],
  ...changes,
});

export const samplePentestFinding = (changes: Partial<PentestFinding> = {}): PentestFinding => ({
  id: 'fnd_2',
  title: 'SQL injection',
  description: 'The parameter changes the statement that the application runs.',
  severity: 'CRITICAL',
  confidence: 'CONFIRMED',
  affectedUrl: 'https://shop.example.com/products?id=1',
  remediation: 'Bind the value as a parameter of the statement.',
  cvssScore: '9.8',
  cweId: 'CWE-89',
  method: 'GET',
  parameter: 'id',
  fingerprint: 'a'.repeat(64),
  checkId: 'sql-injection-error',
  owaspCategory: 'A03:2021 Injection',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  location: 'query',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html'],
  ...changes,
});

export const sampleScan = (changes: Partial<ScanReport> = {}): ScanReport => ({
  kind: 'scan',
  id: 'scn_1',
  target: 'https://shop.example.com/',
  status: 'COMPLETED',
  ...times,
  toolVersion: '0.1.0',
  score: 92,
  grade: 'A',
  failure: null,
  findings: [sampleScanFinding()],
  ...changes,
});

export const samplePentest = (changes: Partial<PentestReport> = {}): PentestReport => ({
  kind: 'pentest',
  id: 'pnt_1',
  target: 'https://shop.example.com/',
  status: 'COMPLETED',
  depth: 'LEAD',
  released: true,
  ...times,
  toolVersion: '0.1.0',
  findings: [samplePentestFinding()],
  ...changes,
});
