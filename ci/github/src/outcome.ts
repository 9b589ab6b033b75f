import { type Report, reportOfPentest, reportOfScan, type Verdict } from '../../../packages/report/src/index.ts';
import {
  ApiError,
  BaselineError,
  type Judgement,
  type ScanJudgement,
  TransportError,
  type Untested,
} from '../../../packages/sdk/src/index.ts';
import { InputError, type Inputs } from './inputs.ts';

/** The outcome of the step. */
export interface Outcome {
  exitCode: number;
  /** Shown in the log of the job. */
  message: string;
  runId?: string;
  status?: string;
  /** Absent without a judgement, as after a start. */
  report?: Report;
}

type Told = Pick<Verdict, 'outcome' | 'reason'> & { exitCode: number };

const undecidedReasons: Record<string, string> = {
  running: 'The run is still in progress. Judge it later with mode gate and this run id.',
  'needs-dashboard': 'The run waits for payment or resumption in the dashboard.',
  'report-not-released':
    'The run is completed, but its report is not released: still in review, or rejected by the reviewer.',
};

type Undecided = Extract<Judgement | ScanJudgement, { kind: 'undecided' }>;

function whyUndecided(judgement: Undecided): string {
  const isReadable =
    'scan' in judgement
      ? judgement.scan.status === 'COMPLETED'
      : judgement.pentest.status === 'COMPLETED' && judgement.pentest.reportReleased === true;
  if (isReadable) {
    return 'The run is completed, but its findings changed while they were read. Run the job again later.';
  }
  return undecidedReasons[judgement.reason] ?? judgement.reason;
}

function whyUntested(untested: readonly Untested[]): string {
  const parts = untested.map(({ group, reason, cure }) => `${group}: ${reason} ${cure}`);
  return `Applicable checks could not run. ${parts.join(' ')} To pass without them, add their groups to accept-untested.`;
}

export const countText = (count: number) => `${count} ${count === 1 ? 'finding' : 'findings'}`;

function knownText(count: number, { baselineRun }: Inputs): string {
  const where = baselineRun === '' ? 'open since an earlier run' : `known from ${baselineRun}`;
  return `${countText(count)} ${where} ${count === 1 ? 'does' : 'do'} not count.`;
}

function tell(judgement: Judgement | ScanJudgement, { failOn, minConfidence }: Inputs): Told {
  const policy = `at least ${failOn} and ${minConfidence}`;
  switch (judgement.kind) {
    case 'passed':
      return { outcome: 'passed', reason: `No findings of ${policy}.`, exitCode: 0 };
    case 'failed':
      return { outcome: 'failed', reason: `${countText(judgement.failing.length)} of ${policy}.`, exitCode: 1 };
    case 'ended': {
      const why =
        'scan' in judgement ? (judgement.scan.failure?.message ?? '') : `The run ended ${judgement.pentest.status}.`;
      return { outcome: 'undecided', reason: `No verdict. ${why}`.trim(), exitCode: 3 };
    }
    case 'undecided':
      if ('untested' in judgement)
        return { outcome: 'undecided', reason: whyUntested(judgement.untested), exitCode: 9 };
      return { outcome: 'undecided', reason: whyUndecided(judgement), exitCode: 6 };
    case 'unsupported': {
      const reason = `The status ${judgement.status} is unknown to this version of the action. Upgrade the action.`;
      return { outcome: 'undecided', reason, exitCode: 7 };
    }
  }
}

/** `known` are findings that do not count only because earlier runs or the baseline have them. */
export function outcomeOf(
  judgement: Judgement | ScanJudgement,
  inputs: Inputs,
  toolVersion: string,
  known: readonly { id: string }[] = [],
): Outcome {
  const { outcome, reason: why, exitCode } = tell(judgement, inputs);
  const reason = known.length === 0 ? why : `${why} ${knownText(known.length, inputs)}`;
  const { failOn, minConfidence } = inputs;
  const accepted = known.map(({ id }) => id);
  const verdict: Verdict = { outcome, reason, failOn, minConfidence, ...(accepted.length > 0 && { accepted }) };
  const report =
    'scan' in judgement
      ? reportOfScan(judgement.scan, 'findings' in judgement ? judgement.findings : [], { toolVersion, verdict })
      : reportOfPentest(judgement.pentest, 'findings' in judgement ? judgement.findings : [], {
          toolVersion,
          verdict,
          untested: 'untested' in judgement ? judgement.untested : [],
        });
  return { exitCode, message: reason, runId: report.id, status: report.status, report };
}

const refusals: Record<number, number> = { 400: 2, 401: 4, 402: 5, 403: 5, 404: 5, 422: 2, 429: 5 };

/** Returns the outcome of invalid inputs, refusals of the service and transport failures. Rethrows other errors. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof BaselineError) return { exitCode: 2, message: `baseline-run: ${error.message}` };
  if (error instanceof InputError || error instanceof RangeError) return { exitCode: 2, message: error.message };
  if (error instanceof ApiError) {
    return { exitCode: refusals[error.statusCode] ?? 8, message: `The service refused: ${error.message}` };
  }
  if (error instanceof TransportError) return { exitCode: 8, message: error.message };
  throw error;
}
