import type { CallOptions } from './options.ts';
import { type AppliedPolicy, countingFindings, type Policy, readPolicy } from './policy.ts';
import { readReport } from './read-report.ts';
import type { Scans } from './scans.ts';
import type { Scan, ScanFinding } from './types.ts';
import { type Pacing, readWait, type Waited, type WaitOptions, waitFor } from './wait.ts';

/** Which scans pass. */
export interface ScanPolicy extends Policy<ScanFinding> {
  /** From 0 to 100. */
  minScore?: number | undefined;
}

interface Judged {
  scan: Scan;
  score: number;
  findings: ScanFinding[];
  policy: AppliedPolicy & { minScore: number };
}

type Settled =
  | (Judged & { kind: 'passed' })
  /** `failing` are the findings that count; empty when only the score is too low. */
  | (Judged & { kind: 'failed'; failing: ScanFinding[]; isScoreTooLow: boolean })
  /** COMPLETED without a score: `scan.failure` says why the site could not be judged. */
  | { kind: 'ended'; scan: Scan };

type Unsettled =
  | { kind: 'undecided'; reason: 'running'; scan: Scan }
  | { kind: 'unsupported'; status: string; scan: Scan };

/** The outcome of a wait. Only `passed` is a pass. */
export type ScanJudgement = Settled | Unsettled;

/** An undecided poll of a scan. */
export interface ScanProgress extends Waited {
  scan: Scan;
  state: 'running' | 'unsupported';
}

/** Options of `waitForScan`. */
export interface ScanWaitOptions extends WaitOptions {
  policy?: ScanPolicy | undefined;
  /** Called after each poll that leaves the scan undecided. */
  onProgress?: ((progress: ScanProgress) => void) | undefined;
}

type Reading = Pick<Scans, 'get' | 'findingsAll'>;

const usual = { maxWaitMs: 15 * 60_000, pollMs: 5_000 };

function readScanPolicy(policy: ScanPolicy = {}) {
  const { minScore = 0 } = policy;
  if (!(minScore >= 0 && minScore <= 100)) throw new RangeError('minScore must be from 0 to 100');
  return { ...readPolicy(policy), minScore };
}

async function poll(scans: Reading, id: string, options: ScanWaitOptions, calls: CallOptions): Promise<ScanJudgement> {
  const { data: scan } = await scans.get(id, calls);
  const { status, score } = scan;
  if (status === 'STARTED') return { kind: 'undecided', reason: 'running', scan };
  if (status !== 'COMPLETED') return { kind: 'unsupported', status: String(status), scan };
  if (typeof score !== 'number') return { kind: 'ended', scan };

  const { findings, isWhole } = await readReport(scans.findingsAll(id, {}, calls));
  if (!isWhole) return { kind: 'undecided', reason: 'running', scan };
  const policy = readScanPolicy(options.policy);
  const failing = countingFindings(findings, options.policy);
  const isScoreTooLow = score < policy.minScore;
  const judged = { scan, score, findings, policy };
  const isBroken = isScoreTooLow || failing.length > policy.maxFindings;
  return isBroken ? { kind: 'failed', failing, isScoreTooLow, ...judged } : { kind: 'passed', ...judged };
}

/** Waits until a scan is completed, and judges it. A scan without a score never passes. */
export async function waitForScan(
  caller: Pacing,
  scans: Reading,
  id: string,
  options: ScanWaitOptions = {},
): Promise<ScanJudgement> {
  readScanPolicy(options.policy);
  return waitFor<Settled, Unsettled>({
    caller,
    ...readWait(options, usual),
    options,
    poll: (calls) => poll(scans, id, options, calls),
    onPoll: ({ kind, scan }, waited) =>
      options.onProgress?.({ ...waited, scan, state: kind === 'undecided' ? 'running' : kind }),
  });
}
