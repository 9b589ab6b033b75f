import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judge, nonce } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import ssiInjection from './checks/injection/ssi-injection.ts';
import type { Point } from './define-active-check.ts';

const parameter = { location: 'json', name: '/email', value: 'someone@example.com' } as const;
const item: InventoryItem = {
  method: 'POST',
  url: 'http://shop.test/users',
  parameters: [parameter],
  seenAs: null,
  contentType: 'application/json',
  body: { type: 'application/json', text: '{"email":"someone@example.com"}' },
};
const point: Point = { item, parameter };

it('a field that strips markup and takes each value once runs no server-side includes', () => {
  for (const variant of ssiInjection.variants) {
    const taken = new Set<string>();
    const plan = ssiInjection.proof.plan(point, variant, nonce, { accounts: [] });
    const answers = Object.entries(plan ?? {}).map(([key, { request }]) => {
      const { email } = JSON.parse(String(request.body)) as { email: string };
      const stored = email.replace(/<!--.*?-->|<[^>]*>/gs, '');
      const isNew = !taken.has(stored);
      taken.add(stored);
      return [key, isNew ? { status: 201, body: stored } : { status: 400, body: 'must be unique' }] as const;
    });
    assert.notEqual(judge(ssiInjection, { subject: point, variant }, Object.fromEntries(answers)), 'PROVED');
  }
});
