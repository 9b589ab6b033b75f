import type { z } from 'zod';
import type { Endpoint, EndpointName, endpoints } from './endpoints.ts';
import { type ErrorCode, type ErrorObject, errors } from './errors.ts';

/** An example response of each endpoint; all examples share the same run, scan and key. */
type Examples = { [Name in EndpointName]: z.infer<(typeof endpoints)[Name]['answer']['schema']> };

const ids = {
  account: 'acc_3fQ8vLr2WkZ6nD1pX9tB',
  key: 'Kx7Qm2Vd9LpZ',
  scan: 'scn_8rT4wNc6YbH2kJ5mQ7sP',
  pentest: 'pen_6zV1xGd3RfK9qL8nM4hC',
};

const keyBudget = { limit: 10_000, used: 2_000, remaining: 8_000, resetsAt: '2026-04-01T00:00:00.000Z' };

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

const pentest: Examples['getPentest'] = {
  id: ids.pentest,
  targetUrl: 'https://shop.example.com/',
  status: 'COMPLETED',
  depth: 'STANDARD',
  apiKeyId: ids.key,
  createdAt: '2026-03-02T10:00:00.000Z',
  startedAt: '2026-03-02T10:00:04.120Z',
  completedAt: '2026-03-02T12:41:37.905Z',
  reportReleased: true,
  findingCounts: { critical: 1, high: 0, medium: 0, low: 0, info: 0, total: 1 },
  credits: { state: 'CHARGED', reserved: 2_000, charged: 1_846, returned: 154 },
};

const target: Examples['getTarget'] = {
  verificationId: 'ver_5hK2mXw9QzR7bN4cV1sY',
  origin: 'https://shop.example.com',
  method: 'dns',
  coveredName: 'shop.example.com',
  coveredOrigin: null,
  verified: true,
  verifiedAt: '2026-02-20T08:00:00.000Z',
  expiresAt: '2026-05-21T08:00:00.000Z',
  apiRuns: true,
  rules: { excludedPaths: ['/admin'], requestsPerSecond: 20, window: { from: '22:00', to: '06:00' } },
  createdAt: '2026-02-20T07:55:00.000Z',
};

const creditExamples: Pick<Examples, 'getCreditsBalance' | 'getCreditsUsage' | 'listLevels'> = {
  getCreditsBalance: {
    available: 8_154,
    held: 0,
    plan: 3_154,
    purchased: 5_000,
    nextExpiry: { credits: 3_154, at: '2026-04-01T00:00:00.000Z' },
    keyBudget,
    memberAllowance: null,
  },
  getCreditsUsage: {
    usage: [
      {
        id: 'use_2bC7dF4gH9jK1mN6pQ8r',
        type: 'HOLD',
        credits: -1_500,
        part: 'testing',
        pentestId: ids.pentest,
        apiKeyId: ids.key,
        description: 'Standard pentest of https://shop.example.com',
        createdAt: pentest.createdAt,
        balanceAfter: { available: 8_500, held: 1_500 },
      },
    ],
    nextOffset: null,
  },
  listLevels: {
    levels: [
      {
        depth: 'STANDARD',
        name: 'Standard',
        credits: 2_000,
        reviewCredits: 500,
        expertReview: true,
        api: true,
        maxMinutes: 180,
      },
    ],
  },
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

const pentestFinding: Examples['listPentestFindings']['findings'][number] = {
  id: 'fnd_7hJ3kL9mN5pQ1rS8tV2w',
  title: 'SQL injection in parameter `q` of /search and one more place',
  description: "A single quote in `q` changes the database query; the error shows the server's SQL.",
  severity: 'CRITICAL',
  confidence: 'CONFIRMED',
  affectedUrl: 'https://shop.example.com/search',
  remediation: 'Bind `q` as a parameter of a prepared statement.',
  cvssScore: '9.8',
  cweId: 'CWE-89',
  method: 'GET',
  parameter: 'q',
  fingerprint: '0f4c2ab7d91e5386',
  formerFingerprints: ['91d0c4be27a6f035', '5ab81f0e6c2d7943'],
  places: [
    {
      url: 'https://shop.example.com/search',
      method: 'GET',
      parameter: 'q',
      location: 'query',
      accounts: [],
      fingerprints: ['0f4c2ab7d91e5386'],
    },
    {
      url: 'https://shop.example.com/sale',
      method: 'GET',
      parameter: 'q',
      location: 'query',
      accounts: [],
      fingerprints: ['5ab81f0e6c2d7943'],
    },
  ],
  checkId: 'sql-injection-error',
  owaspCategory: 'A03:2021 Injection',
  owasp: 'A03:2021 Injection',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4Vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact: 'An attacker reads and changes everything in the database that the application can.',
  stepsToReproduce: [
    'Control (unchanged value): send `GET https://shop.example.com/search?q=tea`. The target returned status 200.',
    'Quote: send `GET https://shop.example.com/search?q=tea%27`. The target returned status 500.',
  ],
  location: 'query',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html'],
  history: 'OPEN',
};

const pentestFindings: Examples['listPentestFindings'] = {
  id: ids.pentest,
  reportReleased: true,
  total: 1,
  nextOffset: null,
  findings: [pentestFinding],
};

const searched = { location: 'query', name: 'q', value: 'tea' };
const search = { method: 'GET', url: 'https://shop.example.com/search?q=tea', parameters: [searched], seenAs: null };
const sent = {
  account: null,
  isCleanUp: false,
  inBrowser: false,
  madeBy: null,
  method: 'GET',
  headers: [],
  body: null,
  status: 200,
};

const capsule: Examples['getPentestFinding']['capsule'] = {
  version: 1,
  checkId: 'sql-injection-error',
  fingerprint: pentestFinding.fingerprint,
  confidence: 'CONFIRMED',
  depth: 'LEAD',
  origin: 'https://shop.example.com',
  subject: { item: { ...search, contentType: 'text/html' }, parameter: searched },
  variant: { quote: "'" },
  accounts: [],
  steps: [
    { key: 'base', label: 'unchanged value', isControl: true, url: search.url, ...sent },
    { key: 'attack', label: 'quote', isControl: false, url: `${search.url}%27`, ...sent },
  ],
  oracle: { name: 'sql-injection-error', verdicts: ['PROVED', 'PROVED'] },
  isComplete: true,
  provedAt: '2026-01-01T12:20:00.000Z',
  pentestId: ids.pentest,
  verificationId: 'ver_5hK2mXw9QzR7bN4cV1sY',
  signature: {
    algorithm: 'Ed25519',
    keyId: 'M5tYk1c0lUo7Ww3dXo2sVf8aQe6pRz9nHbJgTqLmCiE',
    value: 'c2lnbmF0dXJlIG9mIHRoZSBleGFtcGxlIGNhcHN1bGUsIHdoaWNoIGlzIG5vdCB2YWxpZA',
  },
};

const pentestFindingDetails: Examples['getPentestFinding'] = {
  ...pentestFinding,
  evidence: [
    {
      label: 'unchanged value',
      request: 'GET https://shop.example.com/search?q=tea',
      response: '200\ncontent-type: text/html\n\n<p>12 teas found</p>',
      highlights: { request: [], response: [] },
      isCut: false,
      isDecisive: false,
      isControl: true,
    },
    {
      label: 'quote',
      request: 'GET https://shop.example.com/search?q=tea%27',
      response: '500\ncontent-type: text/html\n\n<p>You have an error in your SQL syntax</p>',
      highlights: { request: [{ start: 38, end: 44 }], response: [{ start: 32, end: 68 }] },
      isCut: false,
      isDecisive: true,
      isControl: false,
    },
  ],
  evidenceDeletedAt: null,
  curl: "curl --include --path-as-is --globoff 'https://shop.example.com/search?q=tea%27'",
  capsule,
};

const writeLimit = {
  reason: 'At some requests, the run reached the limit of objects that it may create on the target.',
  cure: 'Choose a deeper level, or test a copy of the target that may keep test data.',
};

const fixed = {
  fingerprint: '5b8e7c1d20f4a963',
  title: 'Reflected cross-site scripting (XSS) in parameter `sort` of /products',
  severity: 'MEDIUM',
  checkId: 'reflected-xss',
  affectedUrl: 'https://shop.example.com/products?sort=price',
  method: 'GET',
  parameter: 'sort',
  pentestId: 'pen_2wS5dF8gH1jK4lZ7xC0v',
  findingId: 'fnd_9bN2mQ5wE8rT1yU4iO7p',
} as const;
const review = {
  ...fixed,
  fingerprint: 'c41d09e6ab735f28',
  title: 'SQL injection in parameter `text` of /products/7/reviews',
  severity: 'HIGH',
  checkId: 'sql-injection-error',
  affectedUrl: 'https://shop.example.com/products/7/reviews',
  method: 'POST',
  parameter: 'text',
  findingId: 'fnd_3aS6dF9gH2jK5lZ8xC1v',
} as const;
const changes: Pick<Examples['getPentestSummary'], 'fixed' | 'notTested'> = {
  fixed: [fixed],
  notTested: [{ ...review, reason: writeLimit.reason }],
};

export const answerExamples: Examples = {
  ...creditExamples,
  startScan: { id: ids.scan, domain: scan.domain, status: 'STARTED' },
  listScans: { scans: [scan], nextOffset: null },
  getScan: scan,
  listScanFindings: scanFindings,
  startPentest: { id: ids.pentest, status: 'QUEUED' },
  listPentests: { pentests: [pentest], nextOffset: null },
  getPentest: pentest,
  listPentestFindings: pentestFindings,
  getPentestFinding: pentestFindingDetails,
  getPentestSummary: {
    id: ids.pentest,
    reportReleased: true,
    summary: '214 pages and 38 forms were tested.\nOne finding was verified.',
    untested: [],
    coverage: {
      groups: [
        {
          group: 'injection',
          status: 'PARTLY_TESTED',
          tested: 30,
          partlyTested: 1,
          notTested: 0,
          reasons: [writeLimit],
        },
        { group: 'graphql', status: 'NOT_APPLICABLE', tested: 0, partlyTested: 0, notTested: 0, reasons: [] },
      ],
      requests: [
        {
          method: 'POST',
          url: 'https://shop.example.com/products/{id}/reviews',
          operation: null,
          account: 'customer',
          tested: ['access', 'headers'],
          partlyTested: [{ groups: ['injection'], reason: writeLimit.reason }],
          notTested: [],
        },
      ],
      omittedRequests: 0,
    },
    ...changes,
  },
  cancelPentest: { success: true, status: 'CANCELLED' },
  listTargets: { targets: [target], nextOffset: null },
  getTarget: target,
  getKey: {
    id: ids.key,
    name: 'CI of the shop',
    permissions: ['credits:read', 'scans:read', 'scans:write', 'pentests:read', 'pentests:write'],
    role: 'ADMIN',
    account: { id: ids.account, name: 'Example Shop', kind: 'organization' },
    environment: 'live',
    budget: keyBudget,
    expiresAt: null,
    createdAt: '2026-02-20T08:10:00.000Z',
  },
};

/** Returns the field of a request that is most often invalid. */
function wrongField({ idempotent, query, body }: Endpoint): { field?: string } {
  if (idempotent) return { field: 'Idempotency-Key' };
  if ('limit' in query) return { field: 'limit' };
  return body === 'empty' ? { field: 'body' } : {};
}

export function errorExample(code: ErrorCode, endpoint: Endpoint): ErrorObject {
  const { status, message } = errors[code];
  return { code, message, statusCode: status, ...(code === 'VALIDATION_ERROR' && wrongField(endpoint)) };
}
