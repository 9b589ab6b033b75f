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

/** Resolves with the last fatal error of PostgreSQL in the log, or its last line, without a full stop. */
export async function reasonInLog(logFile: string): Promise<string> {
  const content = await readFile(logFile, 'utf8').catch(() => '');
  const lines = content.trim().split('\n').slice(-TAIL_LINES);
  const fatal = lines.flatMap((line) => /\b(?:FATAL|PANIC): +(.+)$/.exec(line)?.[1] ?? []).at(-1);
  return toLine(fatal ?? lines.at(-1) ?? '') || 'PostgreSQL ended without a message';
}
