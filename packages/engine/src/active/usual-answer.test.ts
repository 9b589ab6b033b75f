import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered } from '@sortie/testing/engine/judging.ts';
import type { Point } from './define-active-check.ts';
import { createRunMemory } from './run-memory.ts';
import { usualAnswer } from './usual-answer.ts';

/** Resolves to the number of requests for two probes of one value, and one of another value of the same request. */
async function requestsFor(method: 'GET' | 'POST'): Promise<number> {
  const location = method === 'GET' ? 'query' : 'form';
  const parameters = [
    { location, name: 'q', value: 'tea' },
    { location, name: 'sort', value: 'price' },
  ] as const;
  const body = { type: 'application/x-www-form-urlencoded', text: 'q=tea&sort=price' };
  const url = `http://shop.test/orders${method === 'GET' ? '?q=tea&sort=price' : ''}`;
  const item = { method, url, seenAs: null, contentType: '', parameters, ...(method === 'POST' && { body }) };
  const points = parameters.map((parameter): Point => ({ item: { ...item, parameters: [...parameters] }, parameter }));
  const memory = createRunMemory();
  let asked = 0;
  const ask = async (request: { method: string; url: string }) => {
    asked++;
    return answered(request, {});
  };
  for (const point of [...points, ...points.slice(0, 1)]) await usualAnswer(point, { ask, memory });
  return asked;
}

describe('the response to the original value', () => {
  it('is shared by the probes of a request, as long as nothing is written', async () => {
    assert.equal(await requestsFor('GET'), 1);
    assert.equal(await requestsFor('POST'), 3);
  });
});
