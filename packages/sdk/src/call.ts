import { type Clock, systemClock } from './clock.ts';
import type { EndpointName } from './contract.ts';
import { type Fetch, sendOnce } from './fetch.ts';
import type { CallOptions, ClientOptions, StartOptions } from './options.ts';
import { type ReadAnswer, readAnswer, readRateLimit } from './read-answer.ts';
import {
  newIdempotencyKey,
  type Request,
  readApiKey,
  readBaseUrl,
  readIdempotencyKey,
  writeRequest,
  writeTarget,
} from './request.ts';
import { withRetries } from './retry.ts';
import { createSecret, revealText } from './secret.ts';
import type { Answer, AnswerOf, Query, StartAnswer } from './types.ts';

interface CallRequest<Name extends EndpointName> {
  id?: Request['id'];
  query?: Query<Name>;
}

/** Calls endpoints by their operation names in the contract. */
export interface Caller {
  call<Name extends EndpointName>(
    name: Name,
    request: CallRequest<Name>,
    options?: CallOptions,
  ): Promise<Answer<AnswerOf<Name>>>;
  start<Name extends EndpointName>(
    name: Name,
    body: object,
    options?: StartOptions,
  ): Promise<StartAnswer<AnswerOf<Name>>>;
  clock: Clock;
  random: () => number;
  /** Default for requests whose options set no timeout; the same holds for `onRetry`. */
  timeoutMs: number;
  onRetry: CallOptions['onRetry'];
}

const defaults = { timeoutMs: 30_000, maxRetries: 4, maxRetryMs: 150_000 };

/** Resolves `fetch` at call time, so that a page or a test can replace it. */
const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init);

const toAnswer = <Name extends EndpointName>({ data, headers }: ReadAnswer): Answer<AnswerOf<Name>> => ({
  data: data as AnswerOf<Name>,
  rateLimit: readRateLimit(headers),
  requestId: headers.get('x-request-id'),
});

/** Creates what all calls of a client share. Throws if its base URL or its key is invalid. */
export function createCaller(client: ClientOptions): Caller {
  const { fetch = globalFetch, clock = systemClock, random = Math.random } = client;
  const baseUrl = readBaseUrl(client.baseUrl);
  const apiKey = createSecret(readApiKey(revealText(client.apiKey)));

  async function send(name: EndpointName, request: Request, options: CallOptions = {}): Promise<ReadAnswer> {
    const {
      signal,
      timeoutMs = client.timeoutMs ?? defaults.timeoutMs,
      maxRetries = client.maxRetries ?? defaults.maxRetries,
      maxRetryMs = client.maxRetryMs ?? defaults.maxRetryMs,
      onRetry = client.onRetry,
    } = options;
    const url = baseUrl + writeTarget(name, request);
    const { idempotencyKey = null } = request;
    const attempt = async () => {
      const written = writeRequest(name, apiKey.reveal(), request);
      return readAnswer(await sendOnce(url, written, { fetch, timeoutMs, signal, idempotencyKey }), idempotencyKey);
    };
    return withRetries(attempt, { clock, random, signal, maxRetries, maxRetryMs, onRetry });
  }

  return {
    clock,
    random,
    timeoutMs: client.timeoutMs ?? defaults.timeoutMs,
    onRetry: client.onRetry,
    call: async (name, request, options) => toAnswer(await send(name, request, options)),
    async start(name, body, options) {
      const idempotencyKey = readIdempotencyKey(options?.idempotencyKey ?? newIdempotencyKey());
      const sent = await send(name, { body, idempotencyKey }, options);
      return { ...toAnswer(sent), idempotencyKey, replayed: sent.headers.get('idempotent-replayed') === 'true' };
    },
  };
}
