import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { Point } from '../define-active-check.ts';
import { firstToShow, firstToWait } from './try-variants.ts';

const parameter = { location: 'query' as const, name: 'q', value: 'tea' };
const point: Point = {
  item: { method: 'GET', url: 'http://shop.test/', parameters: [parameter], seenAs: null, contentType: '' },
  parameter,
};

/** A target with this response and response time. */
function asking(answer: (value: string, asked: number) => { body?: string; seconds?: number }) {
  const values: string[] = [];
  const ask = async (request: { method: string; url: string }): Promise<Exchange> => {
    const value = new URL(request.url).searchParams.get('q') ?? '';
    const { body = '', seconds = 0 } = answer(value, values.push(value));
    return {
      request: { ...request, purpose: 'test' },
      response: { status: 200, headers: [], body: Buffer.from(body), isCut: false },
      failure: null,
      remote: null,
      firstByteMs: seconds * 1_000 + 5,
      durationMs: seconds * 1_000 + 5,
    };
  };
  return { point, ask, values };
}

describe('the first variant that shows what was computed', () => {
  it('is found with one request for each before it, and one for itself', async () => {
    const target = asking((value) => ({ body: value === 'b' ? 'it is 42' : '' }));
    assert.deepEqual(await firstToShow(['a', 'b', 'c'], '42', (variant) => variant, target), ['b']);
    assert.deepEqual(target.values, ['a', 'b']);
  });

  it('is none where nothing does', async () => {
    assert.deepEqual(
      await firstToShow(
        ['a'],
        '42',
        (variant) => variant,
        asking(() => ({})),
      ),
      [],
    );
  });
});

describe('the first variant that makes a target wait', () => {
  const semicolon = ';wait {seconds}';
  const pipe = '|wait {seconds}';
  const told = (value: string) => Number(/\|wait (\d+)/.exec(value)?.[1] ?? 0);

  it('is found', async () => {
    const target = asking((value) => ({ seconds: told(value) }));
    assert.deepEqual(await firstToWait([semicolon, pipe], target), [pipe]);
  });

  it('is found also where another one is late by chance', async () => {
    const target = asking((value, asked) => ({ seconds: asked === 2 || asked === 3 ? 4 : told(value) }));
    assert.deepEqual(await firstToWait([semicolon, pipe], target), [pipe]);
  });

  it('is none, after one request, where all is slow', async () => {
    const target = asking(() => ({ seconds: 3 }));
    assert.deepEqual(await firstToWait([semicolon, pipe], target), []);
    assert.deepEqual(target.values, ['tea']);
  });
});
