import type { Diagnostic } from '@sortie/engine';

interface DiagnosticBatch {
  diagnostics: readonly Diagnostic[];
  /** Number of those that were dropped before. */
  notKept: number;
}

/** Bounds the memory of the worker, and the size of one statement. */
const MOST_WAITING = 1_000;

/**
 * Stores the diagnostics of an attempt while the worker goes on: the engine and the run must never wait for them. One
 * write is under way at a time; what arrives meanwhile waits for the next. What exceeds the bound, and what a failed
 * write held, is counted as not kept. `onFailed` is called for the first failed write only.
 */
export function createDiagnosticWriter(
  save: (told: DiagnosticBatch) => Promise<unknown>,
  onFailed: (error: unknown) => void,
) {
  let waiting: Diagnostic[] = [];
  let notKept = 0;
  let writing: Promise<void> | undefined;
  let hasFailed = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0 || notKept > 0) {
      const told = { diagnostics: waiting, notKept };
      waiting = [];
      notKept = 0;
      try {
        await save(told);
      } catch (error) {
        notKept += told.notKept + told.diagnostics.length;
        if (!hasFailed) onFailed(error);
        hasFailed = true;
        return;
      }
    }
  }

  return {
    add(told: DiagnosticBatch): void {
      const room = MOST_WAITING - waiting.length;
      waiting.push(...told.diagnostics.slice(0, room));
      notKept += told.notKept + Math.max(0, told.diagnostics.length - room);
      writing ??= writeAll().finally(() => {
        writing = undefined;
      });
    },
    /** Resolves when nothing is being written. */
    async settled(): Promise<void> {
      await writing;
    },
  };
}
