import type { Clock } from './clock.ts';
import type { Failure } from './errors.ts';
import type { Fetch } from './fetch.ts';
import type { Secret } from './secret.ts';

export interface Retry {
  /** What went wrong. */
  error: Failure;
  /** How long is waited now. */
  delayMs: number;
}

export interface CallOptions {
  /** Ends the call, which then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** For each request; 30 seconds unless given. */
  timeoutMs?: number | undefined;
  /** How often a request is repeated that failed on the way or inside the service; 4 unless given. */
  maxRetries?: number | undefined;
  /** How long may be waited for repetitions altogether; 150 seconds unless given. */
  maxRetryMs?: number | undefined;
  /** Told before each wait. */
  onRetry?: ((retry: Retry) => void) | undefined;
}

export interface StartOptions extends CallOptions {
  /** 1 to 255 visible characters, no spaces. A new one unless given. */
  idempotencyKey?: string | undefined;
}

export interface ClientOptions extends Omit<CallOptions, 'signal'> {
  apiKey: string | Secret;
  /** The service's address without the version, such as `https://sortie.example.com`. */
  baseUrl: string;
  fetch?: Fetch | undefined;
  clock?: Clock | undefined;
  /** From 0 to 1, as `Math.random`. */
  random?: (() => number) | undefined;
}
