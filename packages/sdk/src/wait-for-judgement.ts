import { pentestStatuses } from './contract.ts';
import { ApiError } from './errors.ts';
import type { CallOptions } from './options.ts';
import type { Pages } from './pages.ts';
import type { Pentests } from './pentests.ts';
import { type AppliedPolicy, countingFindings, type Policy, readPolicy } from './policy.ts';
import { readReport } from './read-report.ts';
import type { Pentest, PentestFinding, PentestFindings, Untested } from './types.ts';
import { type Pacing, readWait, UNTESTED, type Waited, type WaitOptions, waitFor } from './wait.ts';

/** `needs-dashboard`: the run goes on only when somebody pays for it or resumes it in the dashboard. */
export type UndecidedReason = 'running' | 'needs-dashboard' | 'report-not-released';

interface Judged {
  pentest: Pentest;
  findings: PentestFinding[];
  policy: AppliedPolicy;
}

type Settled =
  /** `untested` are the groups of checks that could not run and that the policy accepts. */
  | (Judged & { kind: 'passed'; untested: Untested[] })
  /** Nothing counts, but checks that apply to the target could not run: the run is over, and waiting changes nothing. */
  | (Judged & { kind: 'undecided'; reason: typeof UNTESTED; untested: Untested[] })
  /** `failing` are the findings that count. With `failFast` the run may not be over. */
  | (Judged & { kind: 'failed'; failing: PentestFinding[] })
  /** FAILED or CANCELLED: over, but not judged; the findings are partial and nobody reviewed them. */
  | { kind: 'ended'; pentest: Pentest; findings: PentestFinding[] };

type Unsettled =
  | { kind: 'undecided'; reason: UndecidedReason; pentest: Pentest }
  /** The service has a status that this version does not know. */
  | { kind: 'unsupported'; status: string; pentest: Pentest };

/** What became of a run. Only `passed` is a pass. */
export type Judgement = Settled | Unsettled;

export interface JudgementProgress extends Waited {
  pentest: Pentest;
  state: UndecidedReason | 'unsupported';
}

export interface JudgementOptions extends WaitOptions {
  policy?: Policy<PentestFinding> | undefined;
  /** Fails as soon as the findings so far break the policy; it never passes before the end. */
  failFast?: boolean | undefined;
  /** After each look that did not settle it. */
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

/** Undefined when the report was taken back meanwhile. A service without summaries cannot tell, and has nothing to tell. */
async function readUntested(pentests: Reading, id: string, calls: CallOptions): Promise<Untested[] | undefined> {
  try {
    const { data } = await pentests.summary(id, calls);
    return data.reportReleased === true ? (data.untested ?? []) : undefined;
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return [];
    throw error;
  }
}

/** One row of the table of decisions for each status. */
async function look(pentests: Reading, id: string, options: JudgementOptions, calls: CallOptions): Promise<Judgement> {
  const { data: pentest } = await pentests.get(id, calls);
  const { status } = pentest;
  const isReleased = pentest.reportReleased === true;
  const list = pentests.findingsAll(id, {}, calls);
  const undecided = (reason: UndecidedReason): Judgement => ({ kind: 'undecided', reason, pentest });

  if (status === 'COMPLETED') {
    if (!isReleased) return undecided('report-not-released');
    const { isWhole, isBroken, judged, failing } = await judge(pentest, list, options);
    // A reviewer may have taken the report back between the two answers.
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
    look: (calls) => look(pentests, id, options, calls),
    onLook: (result, waited) =>
      options.onProgress?.({
        ...waited,
        pentest: result.pentest,
        state: result.kind === 'undecided' ? result.reason : 'unsupported',
      }),
  });
}
