import { AppError } from '../errors/app-error.ts';

/**
 * The error for an attempt that was delayed for so long that another one has replaced it; a retry gets the other's
 * response.
 */
export function overtaken(): AppError {
  return new AppError('IDEMPOTENCY_IN_PROGRESS', {
    retryAfterSeconds: 1,
    message: 'Another request with this Idempotency-Key has taken over. Retry after Retry-After seconds.',
  });
}
