import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { Known } from '../define-active-check.ts';
import { freeTexts, isOfferedAgain, pagesAfter, pagesWith, requestWithAll } from './stored-marks.ts';

const inForm = (name: string, value: string): Parameter => ({ location: 'form', name, value });
const parameters = [
  inForm('title', 'Hello'),
  inForm('text', ''),
  inForm('csrf_token', 'abc'),
  inForm('email', 'a'),
  inForm('contact', 'a@shop.test'),
  inForm('stars', '5'),
  inForm('item_id', 'tea'),
  { location: 'json' as const, name: '/count', value: 'x', type: 'number' as const },
  { location: 'query' as const, name: 'sort', value: 'name' },
];
const item: InventoryItem = {
  method: 'POST',
  url: 'https://shop.test/items/comments',
  parameters: parameters.slice(0, 7),
  seenAs: 'alice',
  contentType: 'text/html',
};
const page = (url: string, changes: Partial<InventoryItem> = {}): InventoryItem => ({
  ...item,
  method: 'GET',
  url: `https://shop.test${url}`,
  parameters: [],
  ...changes,
});

function exchangeOf(body: string, headers: [string, string][] = [['Content-Type', 'text/html']]): Exchange {
  const request = { method: 'GET', url: item.url, purpose: 'test' as const };
  const response = { status: 200, headers, body: Buffer.from(body), isCut: false };
  return { request, response, failure: null, remote: null, firstByteMs: 1, durationMs: 1 };
}

describe('what is marked in a request', () => {
  it('is what people write, and nothing that decides whether it is accepted', () => {
    assert.deepEqual(
      freeTexts({ parameters }).map(({ name }) => name),
      ['title', 'text'],
    );
  });

  it('is marked at once, and everything else is as it was', () => {
    const [title, text] = item.parameters as [Parameter, Parameter];
    const { body } = requestWithAll(item, [
      [title, 'one'],
      [text, 'two'],
    ]);
    assert.equal(body, 'title=one&text=two&csrf_token=abc&email=a&contact=a%40shop.test&stars=5&item_id=tea');
  });
});

describe('where what was written is looked for', () => {
  it('is where the answer leads to, then beside it, in pages that only read', () => {
    const inventory = [
      page('/about'),
      page('/items/comments/all'),
      page('/items', { seenAs: null }),
      page('/items/delete'),
      page('/api/items', { contentType: 'application/json' }),
      item,
    ];
    const known: Known = { inventory, accounts: [] };
    const urls = pagesAfter(item, exchangeOf('', [['Location', '/thanks']]), known).map(
      ({ url, as }) => `${url} ${as}`,
    );
    assert.deepEqual(urls, [
      'https://shop.test/thanks alice',
      'https://shop.test/items/comments/all alice',
      'https://shop.test/items alice',
      'https://shop.test/about alice',
    ]);
  });

  it('is also what only another account sees, however far away', () => {
    const many = Array.from({ length: 12 }, (_, number) => page(`/items/comments/n${number}x`));
    const ofOthers = ['/office/one', '/office/two', '/admin/inbox'].map((path) => page(path, { seenAs: 'admin' }));
    const pages = pagesAfter(item, exchangeOf(''), { inventory: [...many, ...ofOthers], accounts: [] });
    assert.deepEqual(pages.slice(10), [
      { url: 'https://shop.test/admin/inbox', as: 'admin' },
      { url: 'https://shop.test/office/one', as: 'admin' },
      { url: 'https://shop.test/office/two', as: 'admin' },
    ]);
  });

  it('is told as somebody else than the writer where one of them sees it', async () => {
    const accounts = ['alice', 'bob'].map((name) => ({ name, marks: [] }));
    const seenBy: Record<string, readonly (string | null)[]> = { '/a': ['alice', 'bob'], '/b': ['alice'], '/c': [] };
    const pages = Object.keys(seenBy).map((url) => ({ url, as: 'alice' }));
    const found = await pagesWith('word', pages, 'alice', {
      ask: async ({ url }, as = 'alice') => exchangeOf(seenBy[url]?.includes(as) ? 'a word' : 'nothing'),
      known: { inventory: [], accounts },
    });
    assert.deepEqual(
      found.map(({ url, as }) => [url, as]),
      [
        ['/a', 'bob'],
        ['/b', 'alice'],
      ],
    );
  });

  it('offers it again when a form has it as the value of the same field', () => {
    const shown = (html: string) => ({ url: 'https://shop.test/', as: null, html });
    const title = inForm('title', 'Hello');
    assert.ok(isOfferedAgain(shown('<form><input name="title" value="my word"></form>'), title, 'word'));
    assert.ok(!isOfferedAgain(shown('<form><input name="q" value="word"></form><p>word</p>'), title, 'word'));
  });
});
