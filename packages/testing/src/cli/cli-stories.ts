export type Kind = 'pentest' | 'scan';

export interface Expected {
  exitCode: number;
  /** Expected stdout, in whole or in part. */
  says: RegExp;
  /** Expected stderr, likewise. */
  tells?: RegExp;
  depth?: 'lead' | 'standard';
  flags?: readonly string[];
  /** The expected credits after a cancel; only for runs that continue without the gate. */
  cancelled?: RegExp;
}

const refusedByBoth: Record<string, [exitCode: number, code: string]> = {
  forbidden: [5, 'FORBIDDEN'],
  'account-suspended': [5, 'ACCOUNT_SUSPENDED'],
  unauthorized: [4, 'UNAUTHORIZED'],
  'validation-error': [2, 'VALIDATION_ERROR'],
};

/** Starts that the service always refuses. */
export const refusals: Record<Kind, typeof refusedByBoth> = {
  pentest: {
    'insufficient-credits': [5, 'INSUFFICIENT_CREDITS'],
    'key-budget': [5, 'API_KEY_CAP_EXCEEDED'],
    'member-allowance': [5, 'ORG_CREDIT_CAP_EXCEEDED'],
    'api-runs-disabled': [5, 'TARGET_API_RUNS_DISABLED'],
    'not-found': [5, 'NOT_FOUND'],
    ...refusedByBoth,
  },
  scan: {
    'target-not-assigned': [5, 'TARGET_NOT_ASSIGNED'],
    'plan-limit': [5, 'PLAN_LIMIT_EXCEEDED'],
    ...refusedByBoth,
  },
};

const urlFields: Record<Kind, string> = { pentest: 'targetUrl', scan: 'url' };

/** The error message with its code, and a hint below it. */
const refused = (kind: Kind): Record<string, Expected> =>
  Object.fromEntries(
    Object.entries(refusals[kind]).map(([story, [exitCode, code]]) => {
      const hint = code === 'VALIDATION_ERROR' ? `Correct ${urlFields[kind]}\\.\\nSee: .*` : '[A-Z].{10,}';
      const tells = new RegExp(`^error: .* could not be (?:started|scanned): .*\\[${code}\\]\\n {2}${hint}\\n$`);
      return [story, { exitCode, says: /^$/, tells }];
    }),
  );

/** Matches each message once or several times in this order, and no further retry. */
const again = (...messages: string[]) => {
  const repeated = messages.map((message) => `(?:${message}; retrying in \\d+ s\\n)+`);
  return new RegExp(`^${repeated.join('')}(?!.*; retrying)`);
};

const failedThenHeld = [
  'Internal error\\. Retry; for a start, use the same Idempotency-Key',
  'The start with this Idempotency-Key failed with an internal error\\. Retry after Retry-After seconds',
];
const broken = again(...failedThenHeld);

/** Temporary failures, and the final output. */
const troubles = (says: RegExp): Record<string, Expected> => ({
  'start-500-then-retry': { exitCode: 0, says, tells: broken },
  'start-500-not-created': { exitCode: 0, says, tells: broken },
  'start-409': { exitCode: 0, says, tells: again('.*still.*') },
  'rate-limited': { exitCode: 0, says, tells: again('Too many requests.*') },
  // Without Retry-After, the client waits 30 to 60 seconds.
  'edge-limited': {
    exitCode: 0,
    says,
    tells: /^Too many requests from this address; retrying in (?:[345]\d|60) s\n/,
  },
});

const briefly = ['--max-wait', '5s'];
const passed = /^✓ Gate passed: no findings, no policy violations\n/;
const undecided = (reason: string) =>
  new RegExp(`^\\? Undecided \\(not a pass\\): ${reason}[\\s\\S]*^ {2}Resume `, 'm');
const notReleased = undecided('the run is completed, but its report is not released: ');
const noResult = /^Status {2}ended without a result\nWhen {4}.*\nScore {3}none: .* \[[A-Z_]+\]\n$/m;
const spotless = /^Score +100 of 100, grade A\+\n[\s\S]*^Findings, worst first: none\n/m;

/** The expected result of each sandbox story. */
export const expected: Record<Kind, Record<string, Expected>> = {
  pentest: {
    'released-clean': { exitCode: 0, says: passed },
    'released-findings': {
      exitCode: 1,
      says: /^✗ Gate failed: policy violated by 4 findings \(2 critical, 2 high\)\n/,
    },
    'released-many-findings': { exitCode: 1, says: /^✗ Gate failed: policy violated by 48 findings \(.*\)\n/ },
    'released-untested': {
      exitCode: 9,
      says: /^\? Undecided \(not a pass\): applicable checks could not run: scripting\n[\s\S]*--accept-untested scripting\n/,
    },
    'released-partly-tested': { exitCode: 0, says: passed },
    'findings-fill-in': { exitCode: 1, says: /^✗ Gate failed: policy violated by 4 findings / },
    'review-pending': { exitCode: 6, depth: 'standard', flags: briefly, says: notReleased },
    'review-released': {
      exitCode: 1,
      depth: 'standard',
      says: /^✗ Gate failed: policy violated by 1 finding \(1 high\)\n/,
    },
    'review-rejected': { exitCode: 6, depth: 'standard', flags: briefly, says: notReleased },
    failed: {
      exitCode: 3,
      says: /^✗ No verdict: the run ended FAILED without findings[\s\S]*^ {2}Credits 0 charged, /m,
    },
    'failed-late': {
      exitCode: 3,
      says: /^✗ No verdict: the run ended FAILED; [\s\S]*^Partial findings, not reviewed:\n[\s\S]*^ {2}Credits 0 charged, /m,
    },
    'cancelled-with-charge': {
      exitCode: 3,
      says: /^✗ No verdict: the run ended CANCELLED; [\s\S]*^Partial findings, not reviewed:\n[\s\S]*^ {2}Credits [1-9]\d* charged/m,
    },
    queued: {
      exitCode: 6,
      flags: briefly,
      says: undecided('the run has not started yet \\(QUEUED\\)\\n'),
      cancelled: /^Credits +0 charged, [1-9]/m,
    },
    'runs-until-cancelled': {
      exitCode: 6,
      flags: briefly,
      says: undecided('the run is still in progress \\(WEB_TEST\\)\\n'),
      cancelled: /^Credits +[1-9]\d* charged/m,
    },
    paused: {
      exitCode: 6,
      flags: briefly,
      says: undecided('the run is PAUSED and does not continue by itself: decide on its page in the dashboard\\n'),
      cancelled: /^Credits +\d+ charged/m,
    },
    'unknown-status': { exitCode: 0, says: passed, tells: /CALIBRATION {2}status unknown to this version/ },
    'unknown-status-stays': {
      exitCode: 7,
      flags: briefly,
      says: undecided('run status CALIBRATION is unknown to this version: upgrade, then resume\\n'),
      cancelled: /^Credits +\d+ charged/m,
    },
    ...troubles(passed),
    'start-500-then-failed': {
      exitCode: 3,
      says: /^✗ No verdict: the run ended FAILED without findings/,
      tells: again(...failedThenHeld, ...failedThenHeld),
    },
    concurrency: {
      exitCode: 0,
      flags: ['--wait-slot'],
      says: passed,
      tells: /^(?:Limit of concurrent pentests reached: waiting for one to end\n)+Run /,
    },
    ...refused('pentest'),
  },
  scan: {
    'scan-clean': { exitCode: 0, says: spotless },
    'scan-warnings': { exitCode: 0, says: /^Score +89 of 100, grade B\n[\s\S]*: 3 \(1 medium, 1 low, 1 info\)\n/m },
    'scan-findings': {
      exitCode: 1,
      says: /^Score +9 of 100, grade F\n[\s\S]*^CRITICAL [\s\S]*^INFO [\s\S]*\n✗ Failed: 2 findings of HIGH or higher\n$/m,
    },
    'scan-failed': { exitCode: 3, says: noResult },
    'scan-slow': { exitCode: 0, says: spotless, tells: /STARTED/ },
    ...troubles(spotless),
    'start-500-then-failed': { exitCode: 3, says: noResult, tells: broken },
    ...refused('scan'),
  },
};
