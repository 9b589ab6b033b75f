import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered } from '@sortie/testing/engine/judging.ts';
import type { Asking, Point } from '../define-active-check.ts';
import { createRunMemory } from '../run-memory.ts';
import { firstToShow } from './try-variants.ts';

const parameter = { location: 'query', name: 'host', value: 'a' } as const;
const item = { method: 'GET', url: 'http://shop.test/', seenAs: null, contentType: '' } as const;
const point: Point = { item: { ...item, parameters: [parameter] }, parameter };
const VARIANTS = ['a;b c', 'a|b c', 'a&b c', 'a$b c', 'a`b c', "a'b c", 'a;b'];

/** Resolves to the values of the probe that a target with these answers gets. */
async function valuesSent(isRefused: (value: string) => boolean, memory = createRunMemory()) {
  const values: string[] = [];
  const ask: Asking['ask'] = async (request) => {
    const value = new URL(request.url).searchParams.get('host') ?? '';
    values.push(value);
    return answered(request, { status: isRefused(value) ? 400 : 200 });
  };
  await firstToShow(VARIANTS, 'found', (variant) => variant, { point, ask, memory });
  return values.filter((value) => VARIANTS.includes(value));
}

describe('a target that refuses values with a blank', () => {
  it('gets only a few of them, and the others all the same', async () => {
    assert.deepEqual(await valuesSent((value) => value.includes(' ')), [...VARIANTS.slice(0, 3), 'a;b']);
  });

  it('is told from one that refuses other characters, or every value', async () => {
    assert.deepEqual(await valuesSent((value) => /[^\w ]/.test(value)), VARIANTS);
    assert.deepEqual(await valuesSent(() => true), VARIANTS);
  });
});
