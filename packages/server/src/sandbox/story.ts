import type { ErrorCode, Untested } from '@sortie/contract';
import type { PentestFinding, Phase, ScanResult } from '@sortie/engine';

/** One thing that happens to a run, so long after the one before it, or after the start. */
export type Act = { afterMs: number } & (
  | { act: 'begin' }
  | { act: 'work'; phase: Phase; minutes: number; requests: number; findings: readonly PentestFinding[] }
  | { act: 'show'; status: 'PAUSED' | typeof UNKNOWN_STATUS }
  | { act: 'end'; outcome: 'COMPLETED' | 'FAILED' | 'CANCELLED'; untested?: readonly Untested[] }
  | { act: 'sign off' }
  | { act: 'reject' }
  | { act: 'judge'; result: ScanResult }
);

/** No client can know it: the contract does not have it. */
export const UNKNOWN_STATUS = 'CALIBRATION';

export interface Refusal {
  code: ErrorCode;
  /** For so long after the first start with a key; always when left out. */
  forMs?: number;
  /** As the edge refuses: without a body, and without the headers of the API. */
  isByEdge?: boolean;
}

/** The first start with a key fails on our side. */
interface Failure {
  /** Whether the run is there by then. */
  isCreated: boolean;
  /** Whether it counts as given up as soon as the key is free again. */
  isGivenUp?: boolean;
}

/** What happens to the starts of a target, and to its runs. Only the kinds of run that are named may be started. */
export interface Story {
  refusal?: Refusal;
  failure?: Failure;
  pentest?: readonly Act[];
  scan?: readonly Act[];
}
