import type { Socket } from 'node:net';
import type { Purpose } from '../../target/scope.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

export interface TargetRequest {
  method: string;
  /** Absolute. Path and query are sent exactly as they are written here, dot segments and odd characters included. */
  url: string;
  /** In this order and spelling, after the ones the sender adds. */
  headers?: Headers;
  body?: string | Uint8Array;
  /** How much of the answer's body is read, where that is less than the sender's limit. */
  bodyBytes?: number;
  /** Whether a certificate that does not fit ends the exchange; as the sender has it unless told. */
  verifyTls?: boolean;
  /** How long it may take, where that is less than the sender's limit. */
  totalMs?: number;
  purpose: Purpose;
  /** Takes back what the run has changed: it may use what is kept back for that when everything else is used up. */
  isCleanUp?: boolean;
}

export interface TargetResponse {
  status: number;
  headers: Headers;
  /** Decompressed, and cut where the limit is. */
  body: Buffer;
  isCut: boolean;
}

/** Why there is no response. */
export interface SendFailure {
  code: 'REFUSED' | 'UNREACHABLE' | 'TLS' | 'TIMEOUT' | 'PROTOCOL' | 'TOO_LARGE';
  /** In words for the run's owner. */
  message: string;
}

/** What was sent and what came back: exactly one of `response` and `failure` is there. */
export interface Exchange {
  request: TargetRequest;
  response: TargetResponse | null;
  failure: SendFailure | null;
  /** Where the connection really went. */
  remote: { address: string; port: number } | null;
  /** From the first byte sent to the first and the last byte received. */
  firstByteMs: number | null;
  durationMs: number;
}

/** For what an HTTP library refuses to send. It says who we are only if its bytes do: see `identity`. */
export interface RawRequest {
  host: string;
  port: number;
  tls: boolean;
  /** The name in the TLS handshake; the host unless told. */
  servername?: string;
  bytes: Uint8Array;
  purpose: Purpose;
  /** How long silence after the first byte received is taken for the end; 2 seconds unless told. */
  quietMs?: number;
}

export interface RawExchange {
  received: Buffer;
  /** How it ended; null when nothing was sent. */
  end: 'CLOSED' | 'QUIET' | 'DEADLINE' | 'FULL' | null;
  /** Null as soon as one byte was received. */
  failure: SendFailure | null;
  remote: Exchange['remote'];
  firstByteMs: number | null;
  durationMs: number;
}

/** A connection for a collector that speaks something else than HTTP. */
export interface SocketRequest {
  host: string;
  port: number;
  purpose: Purpose;
}

/** Judged, and closed when its user is done or its time is over, whichever comes first. */
export interface JudgedSocket {
  socket: Socket;
  signal: AbortSignal;
}

/** What the user of a socket came back with, or why there was none. */
export type SocketUse<Value> =
  | { value: Value; failure: null; remote: NonNullable<Exchange['remote']> }
  | { value: null; failure: SendFailure; remote: null };
