import { type ErrorCode, errors } from '@sortie/contract';

interface AppErrorOptions {
  /** The message for the caller; defaults to the contract's message. Must not contain a secret or an internal name. */
  message?: string;
  field?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** Ends a request or a command with an error code of the contract. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? errors[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.field = options.field;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get statusCode(): number {
    return errors[this.code].status;
  }
}
