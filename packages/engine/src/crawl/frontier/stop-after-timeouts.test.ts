import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { stopAfterTimeouts } from './stop-after-timeouts.ts';

type Code = NonNullable<Exchange['failure']>['code'];
const FRONT = 'http://shop.test/';

/** Resolves to the number of pages that are requested for these outcomes. */
async function askedOf(outcomes: (Code | null)[], ofFrontPage: Code | null = 'TIMEOUT'): Promise<number> {
  let asked = 0;
  const send = stopAfterTimeouts(async (request) => {
    const code = request.url === FRONT ? ofFrontPage : (outcomes[asked++] ?? null);
    const response = code === null ? { status: 200, headers: [], body: Buffer.from(''), isCut: false } : null;
    const failure = code === null ? null : { code, message: '' };
    const none = { remote: null, firstByteMs: null, durationMs: 0 };
    return { request: { ...request, purpose: 'test' }, response, failure, ...none };
  }, FRONT);
  for (const _ of outcomes) await send({ method: 'GET', url: 'http://shop.test/report' });
  return asked;
}

describe('a crawl of a target that does not respond', () => {
  it('ends after five timeouts in a row', async () => {
    assert.equal(await askedOf(Array(50).fill('TIMEOUT')), 5);
    const sometimes = Array.from({ length: 50 }, (_, n) => (n % 4 === 0 ? null : ('TIMEOUT' as const)));
    assert.equal(await askedOf(sometimes), 50);
  });

  it('goes on if the front page still responds', async () => {
    assert.equal(await askedOf(Array(50).fill('TIMEOUT'), null), 50);
  });

  it('goes on when requests are refused', async () => {
    assert.equal(await askedOf(Array(50).fill('REFUSED')), 50);
  });
});
