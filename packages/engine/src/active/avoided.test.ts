import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Effect } from '../crawl/inventory/effects.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import { addAvoided, avoidLinksOf, isAvoided } from './avoided.ts';

const at = (path: string) => `http://shop.test${path}`;
const pageWith = (html: string): Exchange => ({
  request: { method: 'GET', url: at('/'), purpose: 'test' },
  response: { status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), isCut: false },
  failure: null,
  remote: null,
  firstByteMs: 1,
  durationMs: 1,
});

describe('a link that says what it does', () => {
  const avoided: { url: string; effect: Effect }[] = [];
  avoidLinksOf(
    pageWith(`<a href="/c/7">Delete my account</a><a href="/act?do=x1&amp;id=3&amp;how=now">Remove tea</a>
      <a href="/cart?item=4">Add to cart</a><a href="/teas/5">Green tea</a>`),
    avoided,
  );
  const isLeft = (path: string) => isAvoided(at(path), { avoided, inventory: [] });

  it('is avoided with any id, and with further fields', () => {
    for (const path of ['/c/7', '/c/8', '/c/7?sure=1', '/act?do=x1&id=9&how=now', '/cart?item=5&q=1'])
      assert.equal(isLeft(path), true, path);
  });

  it('says nothing about other addresses', () => {
    for (const path of ['/', '/c', '/c/7/name', '/act', '/act?do=x1&id=3', '/act?do=x1&id=3&how=never', '/teas/5'])
      assert.equal(isLeft(path), false, path);
  });

  it('is kept once, as far as there is room', () => {
    const kept: typeof avoided = [];
    for (let time = 0; time < 2; time++) {
      addAvoided(
        kept,
        Array.from({ length: 600 }, (_, index) => ({ url: at(`/${index}`), effect: 'endangers' as const })),
      );
    }
    assert.equal(kept.length, 200);
  });
});

it('a request by GET that the crawl knows to change something is avoided, unless the run has created what it changes', () => {
  const item: InventoryItem = {
    ...{ method: 'GET', url: at('/vote'), seenAs: null, contentType: '', effect: 'changes' },
    parameters: [{ location: 'query', name: 'poll', value: '1' }],
  };
  const isLeft = (path: string, inventory: InventoryItem[]) => isAvoided(at(path), { inventory });
  assert.equal(isLeft('/vote?poll=2', [item]), true);
  assert.equal(isLeft('/vote', [item]), false);
  assert.equal(isLeft('/vote?poll=2', [{ ...item, isOurs: true }]), false);
  assert.equal(isLeft('/vote?poll=2', [{ ...item, effect: 'reads' }]), false);
});
