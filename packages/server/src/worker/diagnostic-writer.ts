import type { Diagnostic } from '@sortie/engine';

interface DiagnosticBatch {
  diagnostics: readonly Diagnostic[];
  /** Number of diagnostics that were dropped earlier. */
  notKept: number;
}

/** Limits the worker's memory and the size of one statement. */
const MOST_WAITING = 1_000;

/**
 * Stores the diagnostics of an attempt in the background, because neither the engine nor the run may wait for them. One
 * write is in progress at a time; later diagnostics are queued for the next one. Those beyond the limit or of a failed
 * write count as not kept. Calls `onFailed` for the first failed write only.
 */
export function createDiagnosticWriter(
  save: (batch: DiagnosticBatch) => Promise<unknown>,
  onFailed: (error: unknown) => void,
) {
  let waiting: Diagnostic[] = [];
  let notKept = 0;
  let writing: Promise<void> | undefined;
  let hasFailed = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0 || notKept > 0) {
      const batch = { diagnostics: waiting, notKept };
      waiting = [];
      notKept = 0;
      try {
        await save(batch);
      } catch (error) {
        notKept += batch.notKept + batch.diagnostics.length;
        if (!hasFailed) onFailed(error);
        hasFailed = true;
        return;
      }
    }
  }

  return {
    add(batch: DiagnosticBatch): void {
      const room = MOST_WAITING - waiting.length;
      waiting.push(...batch.diagnostics.slice(0, room));
      notKept += batch.notKept + Math.max(0, batch.diagnostics.length - room);
      writing ??= writeAll().finally(() => {
        writing = undefined;
      });
    },
    /** Resolves when no write is in progress. */
    async settled(): Promise<void> {
      await writing;
    },
  };
}
