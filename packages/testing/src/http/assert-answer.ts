import assert from 'node:assert/strict';
import { type ErrorCode, ErrorObject, errors } from '@sortie/contract';
import type { Answer } from './call.ts';

type Headers = Answer['headers'];

export interface ShownLimit {
  limit: number;
  remaining: number;
  reset: number;
}

/** Returns the rate limit headers, which describe the limit closest to being exceeded. */
export function shownLimit(headers: Headers): ShownLimit {
  const [limit, remaining, reset] = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => {
    assert.match(String(headers[name]), /^\d+$/, name);
    return Number(headers[name]);
  });
  return { limit, remaining, reset } as ShownLimit;
}

/** Asserts an error of the contract, with the headers of every response. */
export function assertRefused(answer: Answer, code: ErrorCode, field?: string): void {
  assert.equal(answer.body?.code, code, `${answer.status} ${answer.text}`);
  assert.equal(answer.body?.field, field, answer.text);
  const error = ErrorObject.strict().parse(answer.body);
  assert.equal(answer.status, errors[code].status);
  assert.equal(error.statusCode, answer.status);
  assert.notEqual(error.message, '');
  assert.match(String(answer.headers['content-type']), /^application\/json\b/);
  assertCarriesHeaders(answer);
}

export function assertCarriesHeaders({ headers }: Answer): void {
  shownLimit(headers);
  assert.match(String(headers['x-request-id']), /^[\w-]{8,}$/);
}

/** Asserts that the request passed gates 1 to 8 and reached the endpoint. */
export function assertPassedTheGates(answer: Answer): void {
  assert.ok(
    answer.status < 300 || answer.body?.code === 'NOT_FOUND' || answer.body?.code === 'TARGET_NOT_ASSIGNED',
    `${answer.status} ${answer.text}`,
  );
  assertCarriesHeaders(answer);
}
