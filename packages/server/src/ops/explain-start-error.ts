import { StartupError } from '../errors/startup-error.ts';
import { toLine } from '../platform/to-line.ts';

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
  const what = code === 'ENOSPC' || code === 'EDQUOT' ? 'Free space there, or choose' : 'Choose';
  return new StartupError(
    `${cause}: the data folder ${dataDir} cannot be used (${code}, ${path}). ${what} another folder with --data.`,
    { cause: error },
  );
}

const START_IT = 'Start PostgreSQL there, or correct host and port in DATABASE_URL.';
const LOGIN = 'Correct user and password in DATABASE_URL.';
const DATABASE_CURES: Record<string, string> = {
  ECONNREFUSED: START_IT,
  ETIMEDOUT: START_IT,
  EHOSTUNREACH: START_IT,
  ENOTFOUND: 'Correct the host name in DATABASE_URL.',
  EAI_AGAIN: 'Check the name server of this machine, or correct the host name in DATABASE_URL.',
  // Invalid password.
  '28P01': LOGIN,
  // The database does not exist.
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  // Insufficient privilege.
  '42501': 'Grant the user of DATABASE_URL the right to create tables in this database.',
  // Too many connections.
  '53300': 'Raise max_connections of PostgreSQL.',
};

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns a StartupError that says why the database cannot be used and what the operator has to do. */
export function explainDatabaseError(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  const { detail, cure } = diagnoseDatabaseError(error);
  return new StartupError(`The database of DATABASE_URL cannot be used: ${detail}. ${cure}`, { cause: error });
}

/** PostgreSQL uses this code both for unknown roles and for connections that pg_hba.conf does not allow. */
const UNAUTHORIZED = '28000';

function cureOfUnauthorized(detail: string): string {
  if (/pg_hba\.conf/.test(detail)) {
    const isInClear = /no encryption|SSL off/i.test(detail);
    const encrypt = isInClear ? ', or add ?sslmode=require to DATABASE_URL' : ', or correct DATABASE_URL';
    return `Allow this connection in pg_hba.conf of PostgreSQL${encrypt}.`;
  }
  return /does not exist/.test(detail) ? 'Create the role, or correct the user in DATABASE_URL.' : LOGIN;
}

/** Returns the reason, without the password of the URL, and the remedy. */
export function diagnoseDatabaseError(error: unknown): { detail: string; cure: string } {
  const [detail, code] = [toLine(reasonOf(error)), codeOf(error)];
  if (code === UNAUTHORIZED) return { detail, cure: cureOfUnauthorized(detail) };
  return { detail, cure: DATABASE_CURES[code] ?? 'Correct DATABASE_URL.' };
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  // The error about an invalid URL may quote it, including the password.
  const isUnreadable = error instanceof TypeError || error instanceof URIError;
  if (isUnreadable || !(error instanceof Error)) return 'it is not an address like postgres://user@host/database';
  return error.message;
}
