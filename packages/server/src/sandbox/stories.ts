import { course, until } from './course.ts';
import { type Story, UNKNOWN_STATUS } from './story.ts';
import { coverageWithoutBrowser, partialCoverage, wholeCoverage, withoutBrowser } from './story-coverage.ts';
import { findingsOfEachKind, manyFindings, oneFinding } from './story-findings.ts';
import { cleanScan, failedScan, scanOfEachSeverity, scanWithWarnings } from './story-scans.ts';

const { begin, work, show, end, complete, signOff, reject, judge } = course;

const runWith = (statements: Parameters<typeof complete>[0]) => [
  begin(),
  work('RECON'),
  work('WEB_TEST'),
  complete(statements),
  signOff(500),
];
const cleanRun = runWith({ coverage: wholeCoverage });
const completedRun = [begin(), work('RECON'), work('WEB_TEST', { findings: [oneFinding('first')] }), end('COMPLETED')];
const quickScan = [judge(cleanScan, 1_500)];

/** Runs of a start, of either kind, that first fails and then succeeds. */
const either = { pentest: cleanRun, scan: quickScan };
/** Runs of a start that never succeeds. */
const neither = { pentest: [], scan: [] };

/** Stories by host name below the sandbox's name. docs/sandbox.md describes them all. */
export const stories: Readonly<Record<string, Story>> = {
  'released-clean': { pentest: cleanRun },
  'released-findings': {
    pentest: [
      begin(),
      work('RECON'),
      work('WEB_TEST', { findings: findingsOfEachKind }),
      end('COMPLETED'),
      signOff(500),
    ],
  },
  'released-many-findings': {
    pentest: [
      begin(),
      work('WEB_TEST', { findings: manyFindings.slice(0, 60) }),
      work('API_TEST', { findings: manyFindings.slice(60) }),
      end('COMPLETED'),
      signOff(500),
    ],
  },
  'released-untested': { pentest: runWith({ untested: [withoutBrowser], coverage: coverageWithoutBrowser }) },
  'released-partly-tested': { pentest: runWith({ coverage: partialCoverage }) },
  'findings-fill-in': {
    pentest: [
      begin(),
      work('RECON'),
      work('WEB_TEST', { findings: [oneFinding('first')], afterMs: 1_000 }),
      work('WEB_TEST', { findings: [oneFinding('second')], afterMs: 1_000 }),
      work('API_TEST', { findings: [oneFinding('third'), oneFinding('fourth')], afterMs: 1_000 }),
      end('COMPLETED', 1_000),
      signOff(500),
    ],
  },
  'review-pending': { pentest: completedRun },
  'review-released': { pentest: [...completedRun, signOff(3_000)] },
  'review-rejected': { pentest: [...completedRun, reject(1_000)] },
  failed: { pentest: [begin(), end('FAILED', 1_000)] },
  'failed-late': {
    pentest: [begin(), work('RECON'), work('WEB_TEST', { findings: [oneFinding('first')] }), end('FAILED')],
  },
  'cancelled-with-charge': {
    pentest: [begin(), work('RECON'), work('WEB_TEST', { findings: [oneFinding('first')] }), end('CANCELLED')],
  },
  queued: { pentest: [end('CANCELLED', until.forgotten)] },
  'runs-until-cancelled': { pentest: [begin(), work('RECON'), work('WEB_TEST'), end('CANCELLED', until.forgotten)] },
  paused: { pentest: [begin(), work('RECON'), show('PAUSED'), end('CANCELLED', until.forgotten)] },
  'unknown-status': { pentest: [begin(), work('RECON'), show(UNKNOWN_STATUS), end('COMPLETED', 3_000), signOff(500)] },
  'unknown-status-stays': {
    pentest: [begin(), work('RECON'), show(UNKNOWN_STATUS), end('CANCELLED', until.forgotten)],
  },

  'start-500-then-retry': { failure: { isCreated: true }, ...either },
  'start-500-not-created': { failure: { isCreated: false }, ...either },
  'start-500-then-failed': { failure: { isCreated: true, isGivenUp: true }, ...either },
  'start-409': { refusal: { code: 'IDEMPOTENCY_IN_PROGRESS', forMs: 3_000 }, ...either },
  'rate-limited': { refusal: { code: 'RATE_LIMITED', forMs: 2_000 }, ...either },
  'edge-limited': { refusal: { code: 'RATE_LIMITED', forMs: 2_000, isByEdge: true }, ...either },
  concurrency: { refusal: { code: 'PENTEST_CONCURRENCY_EXCEEDED', forMs: 3_000 }, pentest: cleanRun },

  'insufficient-credits': { refusal: { code: 'INSUFFICIENT_CREDITS' }, pentest: [] },
  'key-budget': { refusal: { code: 'API_KEY_CAP_EXCEEDED' }, pentest: [] },
  'member-allowance': { refusal: { code: 'ORG_CREDIT_CAP_EXCEEDED' }, pentest: [] },
  'api-runs-disabled': { refusal: { code: 'TARGET_API_RUNS_DISABLED' }, pentest: [] },
  'not-found': { refusal: { code: 'NOT_FOUND' }, pentest: [] },
  'target-not-assigned': { refusal: { code: 'TARGET_NOT_ASSIGNED' }, scan: [] },
  'plan-limit': { refusal: { code: 'PLAN_LIMIT_EXCEEDED' }, scan: [] },
  forbidden: { refusal: { code: 'FORBIDDEN' }, ...neither },
  'account-suspended': { refusal: { code: 'ACCOUNT_SUSPENDED' }, ...neither },
  unauthorized: { refusal: { code: 'UNAUTHORIZED' }, ...neither },
  'validation-error': { refusal: { code: 'VALIDATION_ERROR' }, ...neither },

  'scan-clean': { scan: quickScan },
  'scan-warnings': { scan: [judge(scanWithWarnings, 1_500)] },
  'scan-findings': { scan: [judge(scanOfEachSeverity, 1_500)] },
  'scan-failed': { scan: [judge(failedScan, 1_500)] },
  'scan-slow': { scan: [judge(cleanScan, 6_000)] },
};
