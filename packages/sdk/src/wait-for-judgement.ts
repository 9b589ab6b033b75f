import { pentestStatuses } from './contract.ts';
import { ApiError } from './errors.ts';
import type { CallOptions } from './options.ts';
import type { Pages } from './pages.ts';
import type { Pentests } from './pentests.ts';
import { type AppliedPolicy, countingFindings, type Policy, readPolicy } from './policy.ts';
import { readReport } from './read-report.ts';
import type { Pentest, PentestFinding, PentestFindings, Untested } from './types.ts';
import { type Pacing, readWait, UNTESTED, type Waited, type WaitOptions, waitFor } from './wait.ts';

/** `needs-dashboard`: the run waits for a payment, or for a user to resume it in the dashboard. */
export type UndecidedReason = 'running' | 'needs-dashboard' | 'report-not-released';

interface Judged {
  pentest: Pentest;
  findings: PentestFinding[];
  policy: AppliedPolicy;
}

type Settled =
  /** `untested` are the check groups that could not run and that the policy accepts. */
  | (Judged & { kind: 'passed'; untested: Untested[] })
  /** No finding counts, but applicable checks could not run. The run is over, so waiting does not help. */
  | (Judged & { kind: 'undecided'; reason: typeof UNTESTED; untested: Untested[] })
  /** `failing` are the findings that count. With `failFast` the run may still be in progress. */
  | (Judged & { kind: 'failed'; failing: PentestFinding[] })
  /** FAILED or CANCELLED: over, but not judged; the findings are partial and not reviewed. */
  | { kind: 'ended'; pentest: Pentest; findings: PentestFinding[] };

type Unsettled =
  | { kind: 'undecided'; reason: UndecidedReason; pentest: Pentest }
  /** The service reports a status that this version does not know. */
  | { kind: 'unsupported'; status: string; pentest: Pentest };

/** The outcome of a wait. Only `passed` is a pass. */
export type Judgement = Settled | Unsettled;

/** An undecided poll of a pentest. */
export interface JudgementProgress extends Waited {
  pentest: Pentest;
  state: UndecidedReason | 'unsupported';
}

/** Options of `waitForJudgement`. */
export interface JudgementOptions extends WaitOptions {
  policy?: Policy<PentestFinding> | undefined;
  /** Fails as soon as the findings so far break the policy; never passes before the run is over. */
  failFast?: boolean | undefined;
  /** Called after each poll that leaves the run undecided. */
  onProgress?: ((progress: JudgementProgress) => void) | undefined;
}

type Reading = Pick<Pentests, 'get' | 'findingsAll' | 'summary'>;

const usual = { maxWaitMs: 60 * 60_000, pollMs: 20_000 };

async function judge(pentest: Pentest, list: Pages<PentestFinding, PentestFindings>, options: JudgementOptions) {
  const { findings, isWhole } = await readReport(list);
  const policy = readPolicy(options.policy);
  const failing = countingFindings(findings, options.policy);
  const isBroken = failing.length > policy.maxFindings;
  return { isWhole, isBroken, judged: { pentest, findings, policy }, failing };
}

/**
 * Resolves to undefined if the report was withdrawn meanwhile. A 404 means that the service has no summaries, hence no
 * untested groups.
 */
async function readUntested(pentests: Reading, id: string, calls: CallOptions): Promise<Untested[] | undefined> {
  try {
    const { data } = await pentests.summary(id, calls);
    return data.reportReleased === true ? (data.untested ?? []) : undefined;
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return [];
    throw error;
  }
}

/** Polls once and maps each status to a judgement. */
async function poll(pentests: Reading, id: string, options: JudgementOptions, calls: CallOptions): Promise<Judgement> {
  const { data: pentest } = await pentests.get(id, calls);
  const { status } = pentest;
  const isReleased = pentest.reportReleased === true;
  const list = pentests.findingsAll(id, {}, calls);
  const undecided = (reason: UndecidedReason): Judgement => ({ kind: 'undecided', reason, pentest });

  if (status === 'COMPLETED') {
    if (!isReleased) return undecided('report-not-released');
    const { isWhole, isBroken, judged, failing } = await judge(pentest, list, options);
    // A reviewer may have withdrawn the report between the two responses.
    if (!isWhole) return undecided('report-not-released');
    if (isBroken) return { kind: 'failed', failing, ...judged };
    const untested = await readUntested(pentests, id, calls);
    if (!untested) return undecided('report-not-released');
    const open = untested.filter(({ group }) => judged.policy.acceptUntested?.includes(group) !== true);
    if (open.length > 0) return { kind: 'undecided', reason: UNTESTED, untested: open, ...judged };
    return { kind: 'passed', untested, ...judged };
  }
  if (status === 'FAILED' || status === 'CANCELLED') {
    return { kind: 'ended', pentest, findings: (await readReport(list)).findings };
  }
  if (!(pentestStatuses as readonly string[]).includes(status)) {
    return { kind: 'unsupported', status: String(status), pentest };
  }
  if (status === 'PAUSED' || status === 'AWAITING_PAYMENT') return undecided('needs-dashboard');
  if (options.failFast && isReleased) {
    const { isBroken, judged, failing } = await judge(pentest, list, options);
    if (isBroken) return { kind: 'failed', failing, ...judged };
  }
  return undecided('running');
}

/** Waits until a run can be judged. A run passes only when it is COMPLETED with a released report. */
export async function waitForJudgement(
  caller: Pacing,
  pentests: Reading,
  id: string,
  options: JudgementOptions = {},
): Promise<Judgement> {
  readPolicy(options.policy);
  return waitFor<Settled, Unsettled>({
    caller,
    ...readWait(options, usual),
    options,
    poll: (calls) => poll(pentests, id, options, calls),
    onPoll: (result, waited) =>
      options.onProgress?.({
        ...waited,
        pentest: result.pentest,
        state: result.kind === 'undecided' ? result.reason : 'unsupported',
      }),
  });
}
