import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { loginsAt } from './login-attempts.ts';

const urlsOf = (changes: Partial<InventoryItem>) => {
  const parameters = ['name', 'password'].map((name) => ({ location: 'form' as const, name, value: '' }));
  const form = { method: 'POST', url: 'http://shop.test/staff', parameters, contentType: '' } as const;
  const item: InventoryItem = { ...form, source: 'form', effect: 'logsIn', seenAs: 'alice', ...changes };
  return loginsAt({ origin: 'http://shop.test' }, { inventory: [item], accounts: [] }).map(({ url }) => url);
};

describe('the logins of a site', () => {
  it('leave out forms that only accounts see, which may create users', () => {
    assert.deepEqual(urlsOf({}), []);
    assert.deepEqual(urlsOf({ seenAs: null }), ['http://shop.test/staff']);
    assert.deepEqual(urlsOf({ sightings: [{ as: null, url: 'http://shop.test/staff', status: 200 }] }), [
      'http://shop.test/staff',
    ]);
    assert.deepEqual(urlsOf({ url: 'http://shop.test/staff/login' }), ['http://shop.test/staff/login']);
  });
});
