import { type Report, reportOfPentest, reportOfScan, type Verdict } from '../../../packages/report/src/index.ts';
import {
  ApiError,
  type Judgement,
  type ScanJudgement,
  TransportError,
  type Untested,
} from '../../../packages/sdk/src/index.ts';
import { InputError, type Inputs } from './inputs.ts';

/** What became of the step. */
export interface Outcome {
  exitCode: number;
  /** One sentence for people. */
  message: string;
  runId?: string;
  status?: string;
  /** Missing where nothing was judged at all, as after a start. */
  report?: Report;
}

type Told = Pick<Verdict, 'outcome' | 'reason'> & { exitCode: number };

const undecidedReasons: Record<string, string> = {
  running: 'The run is not over yet. Judge it later with mode gate and this run id.',
  'needs-dashboard': 'The run waits for somebody in the dashboard, to be paid for or to be resumed.',
  'report-not-released':
    'The run is over, but its report is not released: a review may still be under way, or may have refused it.',
};

type Undecided = Extract<Judgement | ScanJudgement, { kind: 'undecided' }>;

function whyUndecided(judgement: Undecided): string {
  const isReadable =
    'scan' in judgement
      ? judgement.scan.status === 'COMPLETED'
      : judgement.pentest.status === 'COMPLETED' && judgement.pentest.reportReleased === true;
  if (isReadable) {
    return 'The run is over, but its findings could not be read as a whole: they changed meanwhile. Try again later.';
  }
  return undecidedReasons[judgement.reason] ?? judgement.reason;
}

function whyUntested(untested: readonly Untested[]): string {
  const parts = untested.map(({ group, reason, cure }) => `${group}: ${reason} ${cure}`);
  return `Checks that apply could not run. ${parts.join(' ')} To pass without them, name their groups in accept-untested.`;
}

function tell(judgement: Judgement | ScanJudgement, { failOn, minConfidence }: Inputs): Told {
  const policy = `at least ${failOn} and ${minConfidence}`;
  switch (judgement.kind) {
    case 'passed':
      return { outcome: 'passed', reason: `No findings of ${policy}.`, exitCode: 0 };
    case 'failed':
      return { outcome: 'failed', reason: `${judgement.failing.length} findings of ${policy}.`, exitCode: 1 };
    case 'ended': {
      const why =
        'scan' in judgement ? (judgement.scan.failure?.message ?? '') : `It ended ${judgement.pentest.status}.`;
      return { outcome: 'undecided', reason: `Nothing could be judged. ${why}`.trim(), exitCode: 3 };
    }
    case 'undecided':
      if ('untested' in judgement)
        return { outcome: 'undecided', reason: whyUntested(judgement.untested), exitCode: 9 };
      return { outcome: 'undecided', reason: whyUndecided(judgement), exitCode: 6 };
    case 'unsupported': {
      const reason = `The status ${judgement.status} is unknown to this version of the action: upgrade it.`;
      return { outcome: 'undecided', reason, exitCode: 7 };
    }
  }
}

export function outcomeOf(judgement: Judgement | ScanJudgement, inputs: Inputs, toolVersion: string): Outcome {
  const { outcome, reason, exitCode } = tell(judgement, inputs);
  const verdict: Verdict = { outcome, reason, failOn: inputs.failOn, minConfidence: inputs.minConfidence };
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

/** For what the service refused, or what never reached it. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof InputError || error instanceof RangeError) return { exitCode: 2, message: error.message };
  if (error instanceof ApiError) {
    return { exitCode: refusals[error.statusCode] ?? 8, message: `The service refused: ${error.message}` };
  }
  if (error instanceof TransportError) return { exitCode: 8, message: error.message };
  throw error;
}
