import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Depth } from '@sortie/contract';
import { judge, nonce, observed } from '@sortie/testing/engine/judging.ts';
import byCondition from '../checks/injection/sql-injection-boolean.ts';
import type { Asking, Point } from '../define-active-check.ts';
import { createRunMemory } from '../run-memory.ts';

const pointOf = (method: 'GET' | 'POST', path: string): Point => {
  const parameter = { location: 'query', name: 'id', value: '7' } as const;
  const url = `http://shop.test${path}?id=7`;
  return { item: { method, url, parameters: [parameter], seenAs: null, contentType: 'text/html' }, parameter };
};

/** The page of a number in SQL; `original` is the response to the value itself. */
function pageOf(value: string, original: string): string {
  const [, left, right] = /^7 AND (\d+)=(\d+)$/.exec(value) ?? [];
  if (value === '7') return original;
  return left !== undefined && left === right ? 'Sencha' : 'nothing';
}

/** Resolves to the variants that the probe selects at this point. */
async function probed(point: Point, depth: Depth, original: string) {
  const ask = async (request: { url: string }) => {
    const value = new URL(request.url).searchParams.get('id') ?? '';
    const answer = observed({ body: pageOf(value, original) });
    return { ...answer, request: { ...answer.request, url: request.url } };
  };
  const asking = { ask, memory: createRunMemory(), known: { inventory: [], accounts: [], depth } } as unknown as Asking;
  return (await byCondition.probe?.(point, nonce, asking)) ?? [];
}

describe('a true condition with another response than the original value', () => {
  const reading = pointOf('GET', '/teas');

  it('is worth a proof at a request that reads, from STANDARD on', async () => {
    for (const depth of ['STANDARD', 'DEEP'] as const) {
      const [variant, ...others] = await probed(reading, depth, 'Welcome');
      assert.equal(variant?.trueDiffers, true);
      assert.deepEqual(others, []);
    }
  });

  it('is not worth one at LEAD, and not at a request that writes', async () => {
    assert.deepEqual(await probed(reading, 'LEAD', 'Welcome'), []);
    assert.deepEqual(await probed(pointOf('POST', '/teas/update'), 'STANDARD', 'Welcome'), []);
  });

  it('proves nothing unless the probe has seen it', async () => {
    const given = {
      base: { body: 'Welcome' },
      true1: { body: 'Sencha' },
      false1: { body: 'nothing' },
      true2: { body: 'Sencha' },
      false2: { body: 'nothing' },
      true3: { body: 'Sencha' },
      false3: { body: 'nothing' },
      invalid: { body: 'error' },
    };
    for (const [point, depth] of [
      [reading, 'LEAD'],
      [pointOf('POST', '/teas/update'), 'STANDARD'],
      [reading, 'STANDARD'],
    ] as const) {
      const [variant] = await probed(point, depth, 'Sencha');
      assert.ok(variant);
      const verdict = (answers: typeof given) => judge(byCondition, { subject: point, variant }, answers);
      assert.equal(verdict(given), 'REFUTED');
      assert.equal(verdict({ ...given, base: { body: 'Sencha' } }), 'PROVED');
      assert.equal(judge(byCondition, { subject: point, variant: { ...variant, trueDiffers: true } }, given), 'PROVED');
    }
  });
});
