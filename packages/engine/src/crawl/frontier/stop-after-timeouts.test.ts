import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { stopAfterTimeouts } from './stop-after-timeouts.ts';

type Code = NonNullable<Exchange['failure']>['code'];

/** Resolves to the number of requests that are sent for these outcomes. */
async function askedOf(answers: (Code | null)[]): Promise<number> {
  let asked = 0;
  const send = stopAfterTimeouts(async (request) => {
    const code = answers[asked++] ?? null;
    const response = code === null ? { status: 200, headers: [], body: Buffer.from(''), isCut: false } : null;
    const failure = code === null ? null : { code, message: '' };
    return {
      request: { ...request, purpose: 'test' },
      response,
      failure,
      remote: null,
      firstByteMs: null,
      durationMs: 0,
    };
  });
  for (const _ of answers) await send({ method: 'GET', url: 'http://shop.test/' });
  return asked;
}

describe('the crawl', () => {
  it('ends after some silence in a row', async () => {
    assert.equal(await askedOf(Array(50).fill('TIMEOUT')), 5);
    const sometimes = Array.from({ length: 50 }, (_, n) => (n % 4 === 0 ? null : ('TIMEOUT' as const)));
    assert.equal(await askedOf(sometimes), 50);
  });

  it('goes on when something is refused', async () => {
    assert.equal(await askedOf(Array(50).fill('REFUSED')), 50);
  });
});
