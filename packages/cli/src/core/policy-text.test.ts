import assert from 'node:assert/strict';
import { it } from 'node:test';
import { orSurer, orWorse } from './policy-text.ts';

it('nothing is said to be worse than the worst, or surer than the surest', () => {
  assert.deepEqual([orWorse('CRITICAL'), orWorse('HIGH')], ['CRITICAL', 'HIGH or worse']);
  assert.deepEqual([orSurer('CONFIRMED'), orSurer('FIRM')], ['CONFIRMED', 'FIRM or surer']);
});
