import { readFileSync } from 'node:fs';
import { StartupError } from './startup-error.ts';

const CAUSES: Record<string, string> = {
  EACCES: 'No permission to read',
  EPERM: 'No permission to read',
  EISDIR: 'A folder instead of a file:',
  ENOENT: 'File not found:',
  ENOTDIR: 'File not found:',
};

/** Reads a file that the operator has named with a flag or variable. Throws a StartupError with cause and remedy. */
export function readGivenFile(file: string, setting: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new StartupError(`${CAUSES[code] ?? 'Cannot read'} ${file} (${code}). Correct ${setting}.`, { cause });
  }
}
