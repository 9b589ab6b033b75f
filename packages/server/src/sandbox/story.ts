import type { Coverage, ErrorCode, Untested } from '@sortie/contract';
import type { PentestFinding, Phase, ScanResult } from '@sortie/engine';

/** One event of a run, with the delay after the previous event or the start. */
export type Act = { afterMs: number } & (
  | { act: 'begin' }
  | { act: 'work'; phase: Phase; minutes: number; requests: number; findings: readonly PentestFinding[] }
  | { act: 'show'; status: 'PAUSED' | typeof UNKNOWN_STATUS }
  | {
      act: 'end';
      outcome: 'COMPLETED' | 'FAILED' | 'CANCELLED';
      untested?: readonly Untested[] | undefined;
      coverage?: Coverage | undefined;
    }
  | { act: 'sign off' }
  | { act: 'reject' }
  | { act: 'judge'; result: ScanResult }
);

/** Unknown to every client, since the contract does not contain it. */
export const UNKNOWN_STATUS = 'CALIBRATION';

export interface Refusal {
  code: ErrorCode;
  /** Duration after the first start with a key; unlimited if omitted. */
  forMs?: number;
  /** Whether to refuse like the edge: without a body, and without the headers of the API. */
  isByEdge?: boolean;
}

/** Makes the first start with a key fail with an internal error. */
interface Failure {
  /** Whether the failure comes after the run is created. */
  isCreated: boolean;
  /** Whether the run counts as given up as soon as its key is free again. */
  isGivenUp?: boolean;
}

/** What happens to the starts on a target, and to its runs. Only the given kinds of runs can be started. */
export interface Story {
  refusal?: Refusal;
  failure?: Failure;
  pentest?: readonly Act[];
  scan?: readonly Act[];
}
