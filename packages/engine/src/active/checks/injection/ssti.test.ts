import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered, nonce } from '@sortie/testing/engine/judging.ts';
import type { Asking, Point } from '../../define-active-check.ts';
import check from './ssti.ts';

const parameter = { location: 'query', name: 'q', value: '12' } as const;
const item = { method: 'GET', url: 'http://shop.test/', seenAs: null, contentType: '' } as const;
const point: Point = { item: { ...item, parameters: [parameter] }, parameter };

/** Resolves to the templates worth a proof, and to the number of requests that were needed. */
async function probe(page: (value: string) => { status?: number; body: string }, isReactive: boolean) {
  let asked = 0;
  const ask: Asking['ask'] = async (request) => {
    asked++;
    return answered(request, page(new URL(request.url).searchParams.get('q') ?? ''));
  };
  const look = { isReflected: true, isReactive };
  const found = await check.probe?.(point, nonce, { ask, look } as unknown as Asking);
  return { found, asked };
}

const [a, b] = nonce.numbers;
const render = (value: string) => value.replaceAll(`{{${a}*${b}}}`, String(a * b));

describe('templates in a value', () => {
  it('take one request where every word gets the error that quotes them', async () => {
    const { found, asked } = await probe((value) => ({ status: 500, body: `Not a number: ${value}` }), false);
    assert.deepEqual([found, asked], [[], 1]);
  });

  it('are tried one by one where only special characters cause an error', async () => {
    const { asked } = await probe((value) => ({ status: 500, body: `Not a number: ${value}` }), true);
    assert.ok(asked > 10);
  });

  it('take three requests where the target refuses blanks', async () => {
    const { found, asked } = await probe(
      (value) => (value.includes(' ') ? { status: 400, body: 'No blanks' } : { body: value }),
      false,
    );
    assert.deepEqual([found, asked], [[], 3]);
  });

  it('are found where the target refuses blanks', async () => {
    const { found } = await probe(
      (value) => (value.includes(' ') ? { status: 400, body: 'No blanks' } : { body: render(value) }),
      false,
    );
    assert.deepEqual(found, [{ open: '{{', close: '}}' }]);
  });
});
