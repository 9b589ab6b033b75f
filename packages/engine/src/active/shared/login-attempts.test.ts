import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { observed } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { isLockedOut, loginsAt } from './login-attempts.ts';

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

describe('a lockout', () => {
  it('is told by the status or the text of a response, but not by the page of a server error', () => {
    const text = 'The console is locked. Account locked out.';
    for (const status of [200, 401, 403, 423, 429, 503]) assert.ok(isLockedOut(observed({ status, body: text })));
    assert.ok(!isLockedOut(observed({ status: 500, body: text })));
    assert.ok(!isLockedOut(observed({ status: 401, body: 'Wrong password' })));
    assert.ok(isLockedOut(observed({ status: 429 })));
  });
});
