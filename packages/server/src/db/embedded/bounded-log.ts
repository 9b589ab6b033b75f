import { copyFile, readFile, stat, truncate } from 'node:fs/promises';
import { toLine } from '../../platform/to-line.ts';

const MAX_BYTES = 10_000_000;
const CHECK_EVERY_MS = 60_000;
const TAIL_LINES = 20;

/** Keeps a log and one predecessor. PostgreSQL appends to the file, so truncating it is safe. */
export async function boundLog(logFile: string, maxBytes = MAX_BYTES): Promise<void> {
  const { size } = await stat(logFile);
  if (size <= maxBytes) return;
  await copyFile(logFile, `${logFile}.1`);
  await truncate(logFile);
}

/** Returns a function that ends the watch. Errors are ignored: a full disk must not stop the server. */
export function watchLog(logFile: string): () => void {
  const timer = setInterval(() => void boundLog(logFile).catch(() => undefined), CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resolves with the size in bytes; 0 if there is no log yet. */
export const sizeOf = (logFile: string): Promise<number> =>
  stat(logFile).then(
    ({ size }) => size,
    () => 0,
  );

/**
 * Resolves with the last fatal error of PostgreSQL in the log, or its last line, without a full stop. Ignores what is
 * before `from`, where the log of this start begins: earlier errors have other reasons.
 */
export async function reasonInLog(logFile: string, from = 0): Promise<string> {
  const content = await readFile(logFile).catch(() => Buffer.alloc(0));
  const own = content.subarray(from <= content.length ? from : 0).toString();
  const lines = own.trim().split('\n').slice(-TAIL_LINES);
  const fatal = lines.flatMap((line) => /\b(?:FATAL|PANIC): +(.+)$/.exec(line)?.[1] ?? []).at(-1);
  return toLine(fatal ?? lines.at(-1) ?? '') || 'PostgreSQL ended without a message';
}
