import type { PentestFinding, Phase, ScanResult } from '@sortie/engine';
import type { Act } from './story.ts';

/** Long enough to be seen by a client that polls every few hundred milliseconds. */
const USUAL_MS = 600;

export const until = {
  /** A run that waits for its client must not occupy a slot of the account indefinitely. */
  forgotten: 10 * 60_000,
};

type Ended = Extract<Act, { act: 'end' }>;

/** The acts of which stories consist. */
export const course = {
  /** Takes the run from the queue. */
  begin: (afterMs = USUAL_MS): Act => ({ act: 'begin', afterMs }),
  /** Finishes a step. Charges its minutes without waiting for them. */
  work: (phase: Phase, { findings = [], afterMs = USUAL_MS }: WorkOptions = {}): Act => ({
    act: 'work',
    phase,
    minutes: 6,
    requests: 120,
    findings,
    afterMs,
  }),
  show: (status: Extract<Act, { act: 'show' }>['status'], afterMs = USUAL_MS): Act => ({
    act: 'show',
    status,
    afterMs,
  }),
  end: (outcome: Ended['outcome'], afterMs = USUAL_MS): Act => ({ act: 'end', outcome, afterMs }),
  /** Completes the run, and states what was tested. */
  complete: (statements: Pick<Ended, 'untested' | 'coverage'>): Act => ({
    act: 'end',
    outcome: 'COMPLETED',
    ...statements,
    afterMs: USUAL_MS,
  }),
  /** Signs the report off. Does nothing for a run whose level has no review. */
  signOff: (afterMs: number): Act => ({ act: 'sign off', afterMs }),
  reject: (afterMs: number): Act => ({ act: 'reject', afterMs }),
  judge: (result: ScanResult, afterMs: number): Act => ({ act: 'judge', result, afterMs }),
};

interface WorkOptions {
  findings?: readonly PentestFinding[];
  afterMs?: number;
}
