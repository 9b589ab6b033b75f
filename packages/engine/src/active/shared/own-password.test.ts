import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { observed } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem, PointLocation } from '../../crawl/inventory/inventory.ts';
import { changingPassword, mayChangePassword, withTokenOf } from './own-password.ts';

const item = (
  method: 'GET' | 'POST',
  path: string,
  location: PointLocation,
  names: readonly string[],
): InventoryItem => ({
  method,
  url: `http://shop.test${path}`,
  parameters: names.map((name) => ({ location, name, value: 'old' })),
  seenAs: null,
  contentType: 'application/json',
});
const register = { ...item('POST', '/register', 'json', ['/name', '/password']), effect: 'changes' as const };
const login = { ...item('POST', '/login', 'json', ['/name', '/password']), effect: 'logsIn' as const };
const byQuery = item('GET', '/user/change-password?current=old&new=old&repeat=old', 'query', [
  'current',
  'new',
  'repeat',
]);

describe('a password change', () => {
  const isKnown = (change: InventoryItem) =>
    mayChangePassword({ origin: 'http://shop.test' }, { inventory: [register, login, change], accounts: [] });

  it('may be a GET whose path says that it sets the password', () => {
    assert.ok(isKnown(byQuery));
    assert.ok(!isKnown({ ...byQuery, url: 'http://shop.test/user/password?new=1' }));
    assert.ok(!isKnown(item('GET', '/change-password', 'query', ['page'])));
    assert.ok(isKnown(item('POST', '/password', 'form', ['new_password'])));
  });

  it('may be one that the crawl did not send', () => {
    const known = { inventory: [register, login], accounts: [], passwordChanges: [byQuery] };
    assert.ok(mayChangePassword({ origin: 'http://shop.test' }, known));
    assert.ok(!mayChangePassword({ origin: 'http://other.test' }, known));
  });

  it('claims another current password, or none', () => {
    const sent = (current: string | null) => changingPassword(byQuery, current, 'Next-1');
    assert.deepEqual(sent('Wrong-1'), {
      method: 'GET',
      url: 'http://shop.test/user/change-password?current=Wrong-1&new=Next-1&repeat=Next-1',
    });
    assert.deepEqual(sent(null), {
      method: 'GET',
      url: 'http://shop.test/user/change-password?new=Next-1&repeat=Next-1',
    });
    const body = { type: 'application/json', text: '{"current_password":"","new_password":""}' };
    const change = { ...item('POST', '/password', 'json', ['/current_password', '/new_password']), body };
    assert.equal(
      changingPassword(change, 'Wrong-1', 'Next-1').body,
      '{"current_password":"Wrong-1","new_password":"Next-1"}',
    );
    assert.equal(changingPassword(change, null, 'Next-1').body, '{"new_password":"Next-1"}');
  });

  it('is sent with the token that the login returned', () => {
    const request = { method: 'GET', url: byQuery.url };
    const after = (body: string) => withTokenOf('login', request)(new Map([['login', observed({ body })]]));
    assert.deepEqual(after('{"token":"0a1b2c3d4e5f0a1b2c3d4e5f"}').headers, [
      ['Authorization', 'Bearer 0a1b2c3d4e5f0a1b2c3d4e5f'],
    ]);
    assert.equal(after('<p>Welcome</p>'), request);
  });
});
