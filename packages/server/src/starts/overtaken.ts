import { AppError } from '../errors/app-error.ts';

/** For an attempt that was away for so long that another one has taken its place: the other one has the answer. */
export function overtaken(): AppError {
  return new AppError('IDEMPOTENCY_IN_PROGRESS', {
    retryAfterSeconds: 1,
    message: 'Another request with this Idempotency-Key has taken over. Retry after Retry-After seconds.',
  });
}
