import { StartupError } from '../startup-error.ts';

/** A file that cannot be made or read is the operator's to put right, and the system's own words say which. */
export function explainFileError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('path' in error)) return error;
  return new StartupError(`The data folder ${dataDir} cannot be used: ${error.message}.`, { cause: error });
}

export function explainDatabaseError(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  return new StartupError(`The database of DATABASE_URL cannot be used: ${reasonOf(error)}.`, { cause: error });
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  // The error about an address that cannot be read may quote it, and with it the password.
  const isUnreadable = error instanceof TypeError || error instanceof URIError;
  if (isUnreadable || !(error instanceof Error)) return 'it is not an address like postgres://user@host/database';
  return error.message;
}
