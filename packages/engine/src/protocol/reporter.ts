import type { OutsideCall } from './callback.ts';
import type { EgressEntry } from './egress-entry.ts';
import type { FromEngine } from './messages.ts';
import type { Phase } from './phase.ts';

export type StepDone = Omit<Extract<FromEngine, { type: 'step' }>, 'type'>;
export type Over = Omit<Extract<FromEngine, { type: 'over' }>, 'type'>;

/** How a run tells its worker about itself. */
export interface Reporter {
  enter(phase: Phase): void;
  went(egress: EgressEntry[]): void;
  /** An error of our own that the run survives, for the operator's log. */
  fault?(error: unknown): void;
  /** Answers once the step is saved. */
  save(step: StepDone): Promise<void>;
  /** In the course of a step: what the next attempt goes on with if this one breaks off. Answers once it is saved. */
  keep(state: string): Promise<void>;
  /** Which calls by these names the listener has heard; where there is one. */
  heard?(labels: string[]): Promise<readonly OutsideCall[]>;
}
