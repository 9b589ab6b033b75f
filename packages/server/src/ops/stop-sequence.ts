import { describeError, type Log } from '../platform/log.ts';
import { within } from './within.ts';

export interface StopSequence {
  /** What was started last is stopped first. */
  add(step: () => Promise<void>): void;
  /** For what must not be left running: it gets the time it needs, however late it is. */
  addEssential(step: () => Promise<void>): void;
  isStopping(): boolean;
  /** May be called again; it happens once. */
  stop(): Promise<void>;
}

/** For all steps together but the essential ones, so that the whole takes no longer than five seconds. */
const STOP_WITHIN_MS = 3_500;

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
