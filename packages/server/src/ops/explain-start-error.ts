import { StartupError } from '../errors/startup-error.ts';

const NO_ACCESS = 'No permission';
const CAUSES: Record<string, string> = {
  EACCES: NO_ACCESS,
  EPERM: NO_ACCESS,
  ENOSPC: 'No space left',
  EDQUOT: 'No space left in the quota',
  EROFS: 'Read-only file system',
  ENOTDIR: 'Not a folder',
  ENOENT: 'No folder can be created there',
};

/** Returns a StartupError with a remedy for a file error around the data folder; any other error unchanged. */
export function explainFileError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('path' in error)) return error;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const cause = CAUSES[code] ?? code;
  const what = code === 'ENOSPC' || code === 'EDQUOT' ? 'Free space there, or name' : 'Name';
  return new StartupError(
    `${cause}: the data folder ${dataDir} cannot be used (${code}, ${path}). ${what} another folder with --data.`,
    { cause: error },
  );
}

export function explainDatabaseError(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  return new StartupError(`The database of DATABASE_URL cannot be used: ${reasonOf(error)}.`, { cause: error });
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  // The error about an invalid URL may quote it, including the password.
  const isUnreadable = error instanceof TypeError || error instanceof URIError;
  if (isUnreadable || !(error instanceof Error)) return 'it is not an address like postgres://user@host/database';
  return error.message;
}
