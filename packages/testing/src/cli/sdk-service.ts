import assert from 'node:assert/strict';
import { type ClientOptions, createClient, type Fetch } from '@sortie/sdk';

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent unchanged if it is a string, else as JSON. */
  body?: unknown;
}

export interface Received {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** An error is thrown like a network error; a function can inspect the request. */
export type Step = Reply | Error | ((received: Received) => Reply);

export const apiKey = 'srt_test_abcdefghijkl_0123456789abcdefghijklmnopqrstuv';

export const rateLimitHeaders = { 'ratelimit-limit': '120', 'ratelimit-remaining': '117', 'ratelimit-reset': '42' };

/** Returns the Error object of a refusal. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { ...rateLimitHeaders, ...headers },
  body: { code, message: `Refused: ${code}.`, statusCode: status },
});

function toAnswer({ status = 200, headers = {}, body }: Reply) {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: new Headers(headers), text: async () => text };
}

/**
 * Creates a fake service with scripted responses, and a clock on which waiting takes no time. Steps are used in order;
 * further requests repeat the last step if `goesOn`, and fail the test otherwise.
 */
export function createFakeService(steps: readonly Step[], { goesOn = false }: { goesOn?: boolean } = {}) {
  const received: Received[] = [];
  const slept: number[] = [];
  let now = 1_000;

  const fetch: Fetch = async (url, { method, headers, body, signal }) => {
    signal.throwIfAborted();
    const one = { method, url, headers, body };
    received.push(one);
    const step = steps[received.length - 1] ?? (goesOn ? steps.at(-1) : undefined);
    assert.ok(step, `nobody expected request ${received.length}: ${method} ${url}`);
    if (step instanceof Error) throw step;
    return toAnswer(typeof step === 'function' ? step(one) : step);
  };

  const clock = {
    now: () => now,
    async sleep(milliseconds: number, signal?: AbortSignal) {
      signal?.throwIfAborted();
      slept.push(milliseconds);
      now += milliseconds;
    },
  };

  return {
    received,
    slept,
    clock,
    /** Random delays are halfway between the shortest and the longest. */
    client: (options: Partial<ClientOptions> = {}) =>
      createClient({ apiKey, baseUrl: 'https://sortie.example', fetch, clock, random: () => 0.5, ...options }),
    /** Returns method and path of each request. */
    asked: () => received.map(({ method, url }) => `${method} ${url.replace('https://sortie.example', '')}`),
  };
}
