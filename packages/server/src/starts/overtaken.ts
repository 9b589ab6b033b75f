import { AppError } from '../errors/app-error.ts';

/**
 * Returns the error for a delayed attempt that another one has replaced. A retry gets the response of the other one.
 */
export function overtaken(): AppError {
  return new AppError('IDEMPOTENCY_IN_PROGRESS', {
    retryAfterSeconds: 1,
    message: 'Another request with this Idempotency-Key has taken over. Retry after Retry-After seconds.',
  });
}
