import { describeError, type Log } from '../platform/log.ts';
import { within } from './within.ts';

export interface StopSequence {
  /** Adds a step. Steps run in reverse order. */
  add(step: () => Promise<void>): void;
  /** Adds a step without a time limit, for what must not be left running. */
  addEssential(step: () => Promise<void>): void;
  isStopping(): boolean;
  /** Idempotent: repeated calls resolve with the first stop. */
  stop(): Promise<void>;
}

/** Total time for all steps except essential ones, so that the whole stop takes at most five seconds. */
const STOP_WITHIN_MS = 3_500;

/** Creates the list of steps that stop the service, run in reverse order. */
export function createStopSequence(log: Log): StopSequence {
  const steps: { step: () => Promise<void>; isEssential: boolean }[] = [];
  let stopped: Promise<void> | undefined;

  async function run(): Promise<void> {
    const stopAt = performance.now();
    for (const { step, isEssential } of steps.toReversed()) {
      const leftMs = isEssential ? undefined : Math.max(0, stopAt + STOP_WITHIN_MS - performance.now());
      try {
        await (leftMs === undefined ? step() : within(leftMs, step()));
      } catch (error) {
        log.error('could not stop cleanly', describeError(error));
      }
    }
    log.info('stopped', { durationMs: Math.round(performance.now() - stopAt) });
  }

  return {
    add: (step) => void steps.push({ step, isEssential: false }),
    addEssential: (step) => void steps.push({ step, isEssential: true }),
    isStopping: () => stopped !== undefined,
    stop() {
      stopped ??= Promise.resolve().then(run);
      return stopped;
    },
  };
}
