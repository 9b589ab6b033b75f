import type { OutsideCall } from './callback.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { EgressEntry } from './egress-entry.ts';
import type { FromEngine } from './messages.ts';
import type { AskMessage, ModelAnswer } from './model-call.ts';
import type { Phase } from './phase.ts';

export type StepDone = Omit<Extract<FromEngine, { type: 'step' }>, 'type'>;
export type Over = Omit<Extract<FromEngine, { type: 'over' }>, 'type'>;

/** Reports the progress of a run to its worker. */
export interface Reporter {
  enter(phase: Phase): void;
  went(egress: EgressEntry[]): void;
  /** Reports what checks did, for operators; absent if nothing stores it. `notKept` were dropped. */
  diagnosed?(diagnostics: Diagnostic[], notKept: number): void;
  /** Reports an internal error that the run survives, for the operator's log. */
  fault?(error: unknown): void;
  /** Resolves when the worker has persisted the step. */
  save(step: StepDone): Promise<void>;
  /**
   * Saves, during a step, the state from which the next attempt resumes if this one is interrupted. Resolves when it is
   * persisted.
   */
  keep(state: string): Promise<void>;
  /** Asks the model of the order; absent without one. Never rejects: without an answer, it says why. */
  ask?(asked: Omit<AskMessage, 'type' | 'id'>): Promise<ModelAnswer>;
  /** Resolves with the callbacks that the listener received for these labels; absent without a listener. */
  heard?(labels: string[]): Promise<readonly OutsideCall[]>;
}
