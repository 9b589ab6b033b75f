import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import boolean from '../checks/injection/sql-injection-boolean.ts';
import error from '../checks/injection/sql-injection-error.ts';
import time from '../checks/injection/sql-injection-time.ts';
import type { Asking, Point, PointCheck } from '../define-active-check.ts';
import { createRunMemory } from '../run-memory.ts';

const NONCE = { word: 's0123456789ab', numbers: [1_234, 2_345, 3_456] } as const;

/** Returns the values that a probe sends with a request to a target that answers each with a database error. */
async function sentBy(check: PointCheck, effect: 'reads' | 'changes'): Promise<string[]> {
  const item = {
    method: 'POST',
    url: 'http://shop.test/profile',
    parameters: [{ location: 'json', name: '/bio', value: 'tea' }],
    seenAs: 'alice',
    contentType: 'application/json',
    body: { type: 'application/json', text: '{"bio":"tea"}' },
    effect,
  } as const;
  const point = { item: item as unknown as InventoryItem, parameter: item.parameters[0] } as Point;
  const sent: string[] = [];
  const ask: Asking['ask'] = async (request) => {
    const { bio } = JSON.parse(String(request.body)) as { bio: string };
    sent.push(bio);
    return answered(request, { body: `near "${sent.length}": syntax error` });
  };
  await check.probe?.(point, NONCE, {
    ask,
    memory: createRunMemory(),
    known: { inventory: [], accounts: [] },
  } as unknown as Asking);
  return sent;
}

describe('SQL in a request that writes', () => {
  for (const [name, check] of Object.entries({ boolean, error } as Record<string, unknown>)) {
    it(`never comments out the rest of the statement (${name})`, async () => {
      const commented = (values: string[]) => values.filter((value) => value.includes('--'));
      assert.notDeepEqual(commented(await sentBy(check as PointCheck, 'reads')), []);
      const written = await sentBy(check as PointCheck, 'changes');
      assert.ok(written.length > 2);
      assert.deepEqual(commented(written), []);
    });
  }

  it('has variants of the time-based check that keep the rest', () => {
    const kept = time.variants.filter((variant) => !variant.includes('--'));
    assert.ok(kept.length >= 5);
  });
});
