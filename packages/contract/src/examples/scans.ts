import { type Examples, ids } from './example-data.ts';

const scan: Examples['getScan'] = {
  id: ids.scan,
  url: 'https://www.example.com/',
  domain: 'example.com',
  status: 'COMPLETED',
  score: 92,
  grade: 'A',
  algorithmVersion: 2,
  findingCounts: { critical: 0, high: 0, medium: 1, low: 0, info: 0, total: 1 },
  checks: { run: 61, passed: 60, failed: 1, notApplicable: 32, notRun: 1 },
  notRunReasons: [{ checkId: 'caa-missing', reason: 'The name servers did not respond in time.' }],
  apiKeyId: ids.key,
  failure: null,
  createdAt: '2026-03-02T09:30:00.000Z',
  completedAt: '2026-03-02T09:31:12.480Z',
};

const scanFindings: Examples['listScanFindings'] = {
  id: ids.scan,
  status: 'COMPLETED',
  total: 1,
  nextOffset: null,
  findings: [
    {
      id: 'fnd_4kM8nP2qR6sT1vW9xY3z',
      checkId: 'clickjacking-unprotected',
      title: 'Clickjacking: page can be framed by any site',
      description: 'Neither X-Frame-Options nor frame-ancestors keeps other sites from framing the page.',
      severity: 'MEDIUM',
      confidence: 'CONFIRMED',
      category: 'headers',
      affectedUrl: 'https://www.example.com/',
      evidence: 'The response has neither header.',
      remediation: "Send Content-Security-Policy: frame-ancestors 'self'.",
      cweId: 'CWE-1021',
      scoreImpact: 8,
      references: ['https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html'],
    },
  ],
};

export const scanExamples = {
  startScan: { id: ids.scan, domain: scan.domain, status: 'STARTED' },
  listScans: { scans: [scan], nextOffset: null },
  getScan: scan,
  listScanFindings: scanFindings,
} as const satisfies Partial<Examples>;
