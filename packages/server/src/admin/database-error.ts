import { AppError } from '../errors/app-error.ts';

const UNREACHABLE: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'nothing listens there',
  ENOTFOUND: 'its host name is unknown',
  ETIMEDOUT: 'it does not answer',
  '28000': 'it refuses the user',
  '28P01': 'it refuses the password',
  '3D000': 'the database does not exist',
  '57P03': 'it is starting up or shutting down',
};

const MISSING_TABLE = '42P01';

/** Returns an explained error for problems that an operator can fix; any other error unchanged. */
export function explainDatabaseError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof AppError) return error;
  if (code === MISSING_TABLE) {
    const message = 'The database has not been set up yet. Start the server on it once: npm start.';
    return new AppError('INTERNAL_ERROR', { message, cause: error });
  }
  const reason = UNREACHABLE[code];
  if (reason === undefined) return error;
  const message = `The database cannot be reached: ${reason}. Start the server (npm start) or correct DATABASE_URL.`;
  return new AppError('INTERNAL_ERROR', { message, cause: error });
}
