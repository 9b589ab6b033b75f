import type { Socket } from 'node:net';
import type { Purpose } from '../../target/scope.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

export interface TargetRequest {
  method: string;
  /** Absolute. Path and query are sent exactly as written, including dot segments and unusual characters. */
  url: string;
  /** Sent in this order and spelling, after the headers that the sender adds. */
  headers?: Headers;
  body?: string | Uint8Array;
  /** Limit for the response body, if lower than the sender's. */
  bodyBytes?: number;
  /** Whether an invalid certificate fails the exchange; defaults to the sender's setting. */
  verifyTls?: boolean;
  /** Timeout of the exchange, if shorter than the sender's. */
  totalMs?: number;
  purpose: Purpose;
  /**
   * Marks a request that undoes a change of the run: it may use the part of the budget that is reserved for cleanup.
   */
  isCleanUp?: boolean;
}

export interface TargetResponse {
  status: number;
  headers: Headers;
  /** Decompressed, and truncated at the limit. */
  body: Buffer;
  isCut: boolean;
}

/** Why there is no response. */
export interface SendFailure {
  code: 'REFUSED' | 'UNREACHABLE' | 'TLS' | 'TIMEOUT' | 'PROTOCOL' | 'TOO_LARGE';
  /** Shown to the run's owner. */
  message: string;
}

/** A request and its result: exactly one of `response` and `failure` is set. */
export interface Exchange {
  request: TargetRequest;
  response: TargetResponse | null;
  failure: SendFailure | null;
  /** The actual peer of the connection. */
  remote: { address: string; port: number } | null;
  /** Measured from the first byte sent to the first byte received; `durationMs` to the last one. */
  firstByteMs: number | null;
  durationMs: number;
}

/**
 * Raw bytes, for requests that an HTTP library refuses to send. They identify us only if they contain the headers of
 * `identity`.
 */
export interface RawRequest {
  host: string;
  port: number;
  tls: boolean;
  /** Server name (SNI) in the TLS handshake; defaults to the host. */
  servername?: string;
  bytes: Uint8Array;
  purpose: Purpose;
  /** Silence after received data that counts as the end of the response; defaults to 2 seconds. */
  quietMs?: number;
}

export interface RawExchange {
  received: Buffer;
  /** How the exchange ended; null if nothing was sent. */
  end: 'CLOSED' | 'QUIET' | 'DEADLINE' | 'FULL' | null;
  /** Null once a byte was received. */
  failure: SendFailure | null;
  remote: Exchange['remote'];
  firstByteMs: number | null;
  durationMs: number;
}

/** A connection for a collector that speaks a protocol other than HTTP. */
export interface SocketRequest {
  host: string;
  port: number;
  purpose: Purpose;
}

/** A checked connection, closed when its user is done or the signal aborts, whichever comes first. */
export interface JudgedSocket {
  socket: Socket;
  signal: AbortSignal;
}

/** The value that the socket's user returned, or why there was no connection. */
export type SocketUse<Value> =
  | { value: Value; failure: null; remote: NonNullable<Exchange['remote']> }
  | { value: null; failure: SendFailure; remote: null };
