import type { Depth, Pentest } from '@sortie/contract';
import { counted, formatNumber } from '../../look/format.ts';

type Run = Pick<Pentest, 'status' | 'reportReleased' | 'credits'>;

export const depthNames: Readonly<Record<Depth, string>> = {
  LEAD: 'Light',
  STANDARD: 'Standard',
  DEEP: 'Deep',
  EXTENDED: 'Extended',
  MAXIMUM: 'Maximum',
};

/** The phases of testing, in order. */
export const phases = ['VERIFYING', 'RECON', 'ENUMERATION', 'WEB_TEST', 'API_TEST', 'ANALYSIS', 'REPORTING'] as const;

const phaseNames: Readonly<Record<string, string>> = {
  VERIFYING: 'Verifying',
  RECON: 'Recon',
  ENUMERATION: 'Enumeration',
  WEB_TEST: 'Web test',
  API_TEST: 'API test',
  ANALYSIS: 'Analysis',
  REPORTING: 'Reporting',
};

export const phaseName = (phase: string): string => phaseNames[phase] ?? phase;

/** Only these three mean that a run is over; any other status, also an unknown one, is in progress. */
export const isOver = ({ status }: Pick<Run, 'status'>): boolean =>
  ['COMPLETED', 'FAILED', 'CANCELLED'].includes(status);

export type Tone = 'pass' | 'progress' | 'waiting' | 'failed' | 'neutral';

export interface StatusWords {
  tone: Tone;
  /** What the run does. */
  status: string;
  /** What its credits do, or what to expect. */
  detail: string;
}

/** The wording of every combination of status, release and credits. Only the account's own people see a rejection. */
export function describeRun(run: Run, isRejected = false): StatusWords {
  const { status, reportReleased } = run;
  if (isRejected && !reportReleased) {
    return {
      tone: 'waiting',
      status: 'Testing finished, report rejected by the reviewer',
      detail: 'The review part stays held until it is decided',
    };
  }
  if (status === 'COMPLETED') return describeCompleted(run);
  if (status === 'FAILED') return { tone: 'failed', status: 'Did not finish', detail: settledWords(run) };
  if (status === 'CANCELLED') return { tone: 'neutral', status: 'Stopped', detail: settledWords(run) };
  if (status === 'QUEUED') return { tone: 'waiting', status: 'Waiting for a free slot', detail: heldWords(run) };
  if (status === 'PAUSED')
    return {
      tone: 'waiting',
      status: 'Paused: out of credits',
      detail: 'Nothing is being tested. Cancel it, or see its page',
    };
  if (status === 'AWAITING_PAYMENT')
    return {
      tone: 'waiting',
      status: 'Waiting for a payment',
      detail: 'Nothing is being tested, and no credits are held',
    };
  const index = (phases as readonly string[]).indexOf(status);
  if (index < 0) return { tone: 'progress', status: `In progress (${status})`, detail: heldWords(run) };
  if (reportReleased)
    return {
      tone: 'progress',
      status: `Testing: ${phaseName(status)}, findings appear as they are found`,
      detail: 'Not a final result',
    };
  return {
    tone: 'progress',
    status: `Testing: ${phaseName(status)} (${index + 1} of ${phases.length})`,
    detail: heldWords(run),
  };
}

function describeCompleted(run: Run): StatusWords {
  if (!run.reportReleased) {
    return {
      tone: 'waiting',
      status: 'Testing finished, report in review',
      detail: 'The review part stays held until sign-off',
    };
  }
  if (run.credits.state === 'RESERVED')
    return { tone: 'pass', status: 'Report released', detail: 'Settling, usually under a minute' };
  return { tone: 'pass', status: 'Report released', detail: settledWords(run) };
}

const heldWords = ({ credits: { reserved } }: Run): string =>
  reserved === null ? 'No credits held' : `${counted(reserved, 'credit')} held`;

function settledWords({ credits: { state, charged, returned, reserved } }: Run): string {
  if (state === 'NOT_CREDIT_FUNDED') return 'Not paid with credits';
  if (charged === null || returned === null)
    return reserved === null ? 'Nothing charged' : `${counted(reserved, 'credit')} held until they are settled`;
  if (charged === 0) return 'Not charged; everything returned';
  return `${counted(charged, 'credit')} charged, ${formatNumber(returned)} returned`;
}
