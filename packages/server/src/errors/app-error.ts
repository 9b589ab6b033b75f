import { type ErrorCode, errors } from '@sortie/contract';

interface AppErrorOptions {
  /** What the caller reads; the contract's own message when left out. Never put a secret or an internal name here. */
  message?: string;
  field?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** Stops a request or a command with an answer from the contract's error table. */
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
