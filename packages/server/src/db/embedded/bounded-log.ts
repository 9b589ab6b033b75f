import { copyFile, readFile, stat, truncate } from 'node:fs/promises';
import { toLine } from '../../platform/to-line.ts';

const MAX_BYTES = 10_000_000;
const CHECK_EVERY_MS = 60_000;
const TAIL_LINES = 20;

/** Limits the log to one file and its predecessor. PostgreSQL appends to the file, so truncating it is safe. */
export async function boundLog(logFile: string, maxBytes = MAX_BYTES): Promise<void> {
  const { size } = await stat(logFile);
  if (size <= maxBytes) return;
  await copyFile(logFile, `${logFile}.1`);
  await truncate(logFile);
}

/**
 * Limits the log periodically, and returns a function that stops this. Ignores errors, because a full disk must not
 * stop the server.
 */
export function watchLog(logFile: string): () => void {
  const timer = setInterval(() => void boundLog(logFile).catch(() => undefined), CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resolves to the size in bytes; 0 if there is no log yet. */
export const sizeOf = (logFile: string): Promise<number> =>
  stat(logFile).then(
    ({ size }) => size,
    () => 0,
  );

/**
 * Resolves to the last fatal error of PostgreSQL in the log, or its last line, without a full stop. Ignores the text
 * before `from`, where the log of this start begins, because earlier errors have other causes.
 */
export async function reasonInLog(logFile: string, from = 0): Promise<string> {
  const content = await readFile(logFile).catch(() => Buffer.alloc(0));
  const own = content.subarray(from <= content.length ? from : 0).toString();
  const lines = own.trim().split('\n').slice(-TAIL_LINES);
  const fatal = lines.flatMap((line) => /\b(?:FATAL|PANIC): +(.+)$/.exec(line)?.[1] ?? []).at(-1);
  return toLine(fatal ?? lines.at(-1) ?? '') || 'PostgreSQL ended without a message';
}
