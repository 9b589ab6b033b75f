import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Given, judge, nonce } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import reuse from './checks/access/coupon-reuse.ts';
import limit from './checks/login/missing-coupon-rate-limit.ts';
import { codeFieldOf, codeLike } from './shared/own-code.ts';

const posted = (path: string, fields: Record<string, string>): InventoryItem => ({
  method: 'POST',
  url: `http://shop.test${path}`,
  parameters: Object.entries(fields).map(([name, value]) => ({ location: 'json', name: `/${name}`, value })),
  seenAs: null,
  contentType: 'application/json',
  effect: 'changes',
  body: { type: 'application/json', text: JSON.stringify(fields) },
});
const item = posted('/coupon', { code: 'HELLO-10' });
const register = posted('/members', { name: '', password: '' });
const login: InventoryItem = { ...posted('/session', { name: '', password: '' }), effect: 'logsIn' };
const own = { register, login, nameField: '/name' };
const [field] = item.parameters;
assert.ok(field);
const variant = { own, item, field };
const entered: Record<string, Given> = Object.fromEntries(
  ['oneRegistered', 'oneLogin', 'otherRegistered', 'otherLogin'].map((key) => [key, {}]),
);
const wrong: Given = { status: 404, body: '{"error":"no such coupon"}' };
const order = (total: number, more: object = {}): Given => ({ body: JSON.stringify({ order: { total, ...more } }) });

describe('a coupon that is used again', () => {
  const verdict = (changes: Record<string, Given> = {}) =>
    judge(
      reuse,
      { subject: item, variant },
      { ...entered, once: order(90), twice: order(80), thrice: order(70), otherOnce: order(90), wrong, ...changes },
    );

  it('reduces the total each time, as no wrong code does', () => {
    assert.equal(verdict(), 'PROVED');
    assert.equal(verdict({ twice: order(90), thrice: order(90) }), 'REFUTED');
    assert.equal(verdict({ twice: wrong, thrice: wrong }), 'REFUTED');
    assert.equal(verdict({ twice: order(80), thrice: order(80) }), 'REFUTED');
    assert.equal(verdict({ twice: order(100), thrice: order(110) }), 'REFUTED');
  });

  it('is not told by an amount that changes for other accounts or codes as well', () => {
    assert.equal(verdict({ otherOnce: order(60) }), 'REFUTED');
    assert.equal(
      verdict({ wrong: { ...order(50, { note: 'no such coupon, but here are many other words' }) } }),
      'REFUTED',
    );
    assert.equal(verdict({ wrong: order(90) }), 'VOID');
    assert.equal(verdict({ once: wrong }), 'VOID');
  });

  it('raises a discount or a balance', () => {
    const discounts = [10, 20, 30].map((discount): Given => ({ body: JSON.stringify({ discount }) }));
    const [once, twice, thrice] = discounts;
    assert.equal(verdict({ once, twice, thrice, otherOnce: once }), 'PROVED');
    assert.equal(verdict({ once: thrice, twice, thrice: once, otherOnce: thrice }), 'REFUTED');
  });
});

describe('codes that are tried', () => {
  const all = (given: Given) => Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`wrong${index}`, given]));
  const verdict = (changes: Record<string, Given> = {}) =>
    judge(
      limit,
      { subject: item, variant },
      { ...entered, before: order(90), ...all(wrong), after: order(90), ...changes },
    );

  it('have no limit where the right one is accepted after all wrong ones', () => {
    assert.equal(verdict(), 'PROVED');
    assert.equal(verdict({ after: wrong }), 'REFUTED');
    assert.equal(verdict({ wrong7: { status: 429 }, after: undefined }), 'REFUTED');
    assert.equal(verdict({ wrong19: { status: 404, body: '{"error":"slow down, please"}' } }), 'REFUTED');
  });

  it('tell nothing where right and wrong ones are answered alike', () => {
    assert.equal(verdict(all(order(90))), 'VOID');
    assert.equal(verdict({ before: wrong }), 'VOID');
    assert.equal(verdict({ after: undefined }), 'VOID');
  });

  it('have the form of the right one, and are none that the shop has', () => {
    const codes = [1, 2, 3].map((index) => codeLike('Ab-10', `${nonce.word}${index}`));
    for (const code of codes) assert.match(code, /^[A-Z][a-z]-\d\d$/);
    assert.equal(new Set(codes).size, 3);
  });

  it('are those of a field that is made for coupons, with an example', () => {
    assert.equal(codeFieldOf(item)?.name, '/code');
    assert.equal(codeFieldOf(posted('/cart', { voucherCode: 'HELLO-10' }))?.name, '/voucherCode');
    assert.equal(codeFieldOf(posted('/coupon', { code: '' })), undefined);
    assert.equal(codeFieldOf(posted('/country', { code: 'AT-10' })), undefined);
    assert.equal(codeFieldOf(posted('/coupon', { code: 'HELLO-10', name: 'a', text: 'b' })), undefined);
    assert.equal(codeFieldOf({ ...item, effect: 'endangers' }), undefined);
    assert.equal(codeFieldOf({ ...item, method: 'PUT' }), undefined);
  });
});
