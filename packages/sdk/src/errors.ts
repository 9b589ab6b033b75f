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

/** The service, or a proxy in front of it, refused the request. Branch on `code`: messages may change. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The service's error code; `HTTP_<status>` when the response is not the service's Error object. */
  readonly code: OpenEnum<ErrorCode>;
  readonly statusCode: number;
  /** The invalid part of the request, on some validation errors. */
  readonly field: string | null;
  readonly requestId: string | null;
  /** In seconds. */
  readonly retryAfter: number | null;
  readonly rateLimit: RateLimit | null;
  /** False for responses of the network edge or a proxy, which have no error code of their own. */
  readonly hasErrorObject: boolean;
  /** The key of the refused start: retry the same request with it. */
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

/**
 * `network`: no response arrived. `timeout`: none arrived in time. `unreadable`: it is not a response of the service.
 */
export type TransportFailure = 'network' | 'timeout' | 'unreadable';

interface TransportErrorOptions {
  cause?: unknown;
  idempotencyKey?: string | null;
  mayHaveArrived?: boolean;
}

/**
 * No valid response: the request may or may not have reached the service. Retry a start with the same idempotency key.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly reason: TransportFailure;
  readonly idempotencyKey: string | null;
  /** False when no attempt reached a server: every connection was refused, or the host name did not resolve. */
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

/** Returns whether this version knows the code, so that a `switch` over the codes can be exhaustive. */
export const isKnownCode = (code: string): code is ErrorCode => (errorCodes as readonly string[]).includes(code);
