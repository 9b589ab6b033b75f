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
  formerFingerprints: [],
  places: [],
  checkId: 'sql-injection-error',
  owaspCategory: 'A03:2021 Injection',
  owasp: 'A03:2021 Injection',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4Vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact: 'An attacker reads and changes the database.',
  stepsToReproduce: [
    'Control (unchanged value): send `GET https://shop.example.com/products?id=1`. The target returned status 200.',
    "Value with a quote: send `GET https://shop.example.com/products?id=1'`. The target returned status 500.",
  ],
  location: 'query',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html'],
  history: 'NEW',
  ...changes,
});

type Exchange = NonNullable<PentestFinding['evidence']>[number];

const REQUEST = "GET https://shop.example.com/products?id=1'\nAccept: */*";
const RESPONSE = '500\ncontent-type: text/html\n\n<p>SQLite error near 7f3a</p>';

function spanOf(text: string, part: string) {
  const start = text.indexOf(part);
  return { start, end: start + part.length };
}

/** An exchange whose highlights are the payload and the error of the database. */
export const sampleExchange = (changes: Partial<Exchange> = {}): Exchange => ({
  label: 'value with a quote',
  request: REQUEST,
  response: RESPONSE,
  highlights: { request: [spanOf(REQUEST, "1'")], response: [spanOf(RESPONSE, 'SQLite error')] },
  isCut: false,
  isDecisive: false,
  isControl: false,
  ...changes,
});

/** Everything that a newer service answers about a finding. */
export const provedFinding = (changes: Partial<PentestFinding> = {}): PentestFinding =>
  samplePentestFinding({
    evidence: [
      sampleExchange({ label: 'unchanged value', highlights: { request: [], response: [] }, isControl: true }),
      sampleExchange(),
    ],
    evidenceDeletedAt: null,
    curl: "curl --include 'https://shop.example.com/products?id=1%27'",
    impact: 'An attacker reads every table of the database.',
    stepsToReproduce: ['Open the list of products.', 'Add a quote to the parameter `id`.'],
    history: 'REGRESSION',
    ...changes,
  });

export const sampleCoverage = (word = 'injection'): NonNullable<PentestReport['coverage']> => ({
  groups: [
    {
      group: word,
      status: 'PARTLY_TESTED',
      tested: 3,
      partlyTested: 1,
      notTested: 1,
      reasons: [{ reason: `${word} would change data.`, cure: 'Test a copy.' }],
    },
    { group: 'uploads', status: 'NOT_APPLICABLE', tested: 0, partlyTested: 0, notTested: 0, reasons: [] },
  ],
  requests: [
    {
      method: 'GET',
      url: 'https://shop.example.com/products?id',
      operation: null,
      account: 'alice',
      tested: [],
      partlyTested: [{ groups: [word], reason: `${word} reached its limit.` }],
      notTested: [{ groups: [word], reason: `${word} would change data.` }],
    },
    {
      method: 'POST',
      url: `https://shop.example.com/${word}`,
      operation: word,
      account: null,
      tested: [word],
      partlyTested: [],
      notTested: [],
    },
  ],
  omittedRequests: 12,
});

export const sampleEngagement = (word = '/checkout'): NonNullable<PentestReport['engagements']>[number] => ({
  method: 'dns',
  coveredName: 'example.com',
  coveredOrigin: null,
  verifiedAt: '2026-11-01T10:00:00.000Z',
  expiresAt: '2027-02-01T10:00:00.000Z',
  rules: { excludedPaths: [word], requestsPerSecond: 5, window: { from: '22:00', to: '05:00' } },
});

type NotTested = NonNullable<PentestReport['notTested']>[number];

/** A finding of an earlier run; without its reason it is one that was fixed. */
export const earlierFinding = (changes: Partial<NotTested> = {}): NotTested => ({
  fingerprint: 'b'.repeat(64),
  title: 'Open redirect in parameter `to` of /leave',
  severity: 'MEDIUM',
  checkId: 'open-redirect',
  affectedUrl: 'https://shop.example.com/leave?to=1',
  method: 'GET',
  parameter: 'to',
  pentestId: 'pnt_0',
  findingId: 'fnd_0',
  reason: 'The request was not found.',
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
