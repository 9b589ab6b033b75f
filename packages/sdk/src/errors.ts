import { type ErrorCode, errorCodes } from './contract.ts';
import type { OpenEnum, RateLimit } from './types.ts';

interface ApiErrorFacts {
  code: string;
  message: string;
  statusCode: number;
  field: string | null;
  requestId: string | null;
  retryAfter: number | null;
  rateLimit: RateLimit | null;
  hasErrorObject: boolean;
}

/** The service, or something on the way to it, refused. Branch on `code`: messages may change. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** As the service gave it; `HTTP_<status>` when the answer was not the service's Error object. */
  readonly code: OpenEnum<ErrorCode>;
  readonly statusCode: number;
  /** The part of the request that was wrong, on some validation errors. */
  readonly field: string | null;
  readonly requestId: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;
  readonly rateLimit: RateLimit | null;
  /** False for answers of the network's edge or of a proxy, which have no code of their own. */
  readonly hasErrorObject: boolean;
  /** Of the start that was refused: the same request may be sent again with it. */
  readonly idempotencyKey: string | null;

  constructor(facts: ApiErrorFacts, idempotencyKey: string | null = null) {
    super(facts.message);
    this.code = facts.code;
    this.statusCode = facts.statusCode;
    this.field = facts.field;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.rateLimit = facts.rateLimit;
    this.hasErrorObject = facts.hasErrorObject;
    this.idempotencyKey = idempotencyKey;
  }
}

/** `network`: no answer came. `timeout`: none came in time. `unreadable`: what came is not what the service sends. */
export type TransportFailure = 'network' | 'timeout' | 'unreadable';

interface TransportErrorOptions {
  cause?: unknown;
  idempotencyKey?: string | null;
  mayHaveArrived?: boolean;
}

/** The request may have reached the service or not. A start is safe to repeat with the same key. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly reason: TransportFailure;
  readonly idempotencyKey: string | null;
  /** False when none of the attempts had anybody to reach: connections were refused, or the name is not known. */
  mayHaveArrived: boolean;

  constructor(reason: TransportFailure, message: string, options: TransportErrorOptions) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.reason = reason;
    this.idempotencyKey = options.idempotencyKey ?? null;
    this.mayHaveArrived = options.mayHaveArrived ?? true;
  }
}

export type Failure = ApiError | TransportError;

export const isFailure = (error: unknown): error is Failure =>
  error instanceof ApiError || error instanceof TransportError;

/** Whether this version knows the code, so that a `switch` over the codes can be complete. */
export const isKnownCode = (code: string): code is ErrorCode => (errorCodes as readonly string[]).includes(code);
