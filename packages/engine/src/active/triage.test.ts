import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../http/exchange/exchange.ts';
import { createNonce } from '../pentest/testing/verify.ts';
import type { Point } from './define-active-check.ts';
import { triage } from './triage.ts';

const parameter = { location: 'query' as const, name: 'q', value: 'tea' };
const point: Point = {
  item: { method: 'GET', url: 'http://shop.test/', parameters: [parameter], seenAs: null, contentType: '' },
  parameter,
};

/** Runs the triage against a target that serves this page; null means no response. */
async function lookAt(page: (value: string, asked: number) => string | null, statusOf = (_value: string) => 200) {
  let asked = 0;
  const ask = async (request: { method: string; url: string }): Promise<Exchange> => {
    const value = new URL(request.url).searchParams.get('q') ?? '';
    const text = page(value, asked++);
    const answer = text !== null && { status: statusOf(value), headers: [], body: Buffer.from(text), isCut: false };
    return {
      request: { ...request, purpose: 'test' },
      response: answer || null,
      failure: answer ? null : { code: 'TIMEOUT', message: 'No response arrived in time.' },
      remote: null,
      firstByteMs: 1,
      durationMs: 1,
    };
  };
  return { ...(await triage(point, createNonce(), { ask })), asked };
}

describe('the first look at a value', () => {
  it('takes three requests, and finds nothing where nobody reads the value', async () => {
    assert.deepEqual(await lookAt(() => 'always the same page'), {
      isStable: true,
      isReflected: false,
      isInHeader: false,
      isReactive: false,
      isRead: false,
      isBroken: false,
      meanings: new Set(),
      asked: 3,
    });
  });

  it('does not take an echo for a reaction', async () => {
    const { isReflected, isReactive, isRead } = await lookAt((value) => `you asked for ${value} and got nothing`);
    assert.deepEqual({ isReflected, isReactive, isRead }, { isReflected: true, isReactive: false, isRead: false });
  });

  it('sees that a known value is looked up', async () => {
    const { isRead, isReactive } = await lookAt((value) => (value === 'tea' ? 'Sencha, Assam, Oolong' : 'not found'));
    assert.deepEqual({ isRead, isReactive }, { isRead: true, isReactive: false });
  });

  it('sees that a value is read where a word alone is not answered', async () => {
    const stuck = (value: string) => (/^s\w+$/.test(value) ? null : 'Sencha, Assam, Oolong');
    assert.equal((await lookAt(stuck)).isRead, true);
    assert.equal((await lookAt((value) => (value.startsWith('s') ? null : 'Sencha'))).isRead, false);
  });

  it('sees that a known value is found, also where the page shows only that', async () => {
    const { isRead } = await lookAt((value) => `Found: ${value === 'tea' ? 'tea' : 'nothing'}`);
    assert.equal(isRead, true);
  });

  it('sees that odd characters break something', async () => {
    const { isReactive } = await lookAt((value) => (value.includes("'") ? 'something went wrong' : 'nothing found'));
    assert.equal(isReactive, true);
  });

  it('says that odd characters make it fail only where a plain word does not', async () => {
    const page = (value: string) => (value === 'tea' ? 'Sencha' : 'nothing');
    const isBrokenBy = async (fails: RegExp) =>
      (await lookAt(page, (value) => (fails.test(value) ? 500 : 200))).isBroken;
    assert.equal(await isBrokenBy(/'/), true);
    assert.equal(await isBrokenBy(/^(?!tea$)/), false);
    assert.equal(await isBrokenBy(/./), false);
  });

  it('sees that a page is another one each time', async () => {
    const { isStable } = await lookAt((_value, asked) => ['one', 'two', 'three', 'four'][asked] ?? '');
    assert.equal(isStable, false);
  });
});
