import { AppError } from '../errors/app-error.ts';

const UNREACHABLE: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOENT: 'the socket does not exist',
  ENOTFOUND: 'host name not found',
  ETIMEDOUT: 'connection timed out',
  '28000': 'user rejected',
  '28P01': 'password rejected',
  '3D000': 'the database does not exist',
  '57P03': 'the server is starting up or shutting down',
};

const MISSING_TABLE = '42P01';

/** Returns an explained error for problems that an operator can fix; any other error unchanged. */
export function explainDatabaseError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof AppError) return error;
  if (code === MISSING_TABLE) {
    const message = 'The database is not initialized. Start the server once: npm start.';
    return new AppError('INTERNAL_ERROR', { message, cause: error });
  }
  const reason = UNREACHABLE[code];
  if (reason === undefined) return error;
  const message = `The database cannot be reached: ${reason}. Start the server (npm start) or correct DATABASE_URL.`;
  return new AppError('INTERNAL_ERROR', { message, cause: error });
}
