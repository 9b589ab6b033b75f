import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInventory } from '../inventory/inventory.ts';
import { browse } from './browse.ts';

const PAGES = ['http://shop.test/a', 'http://shop.test/b', 'http://shop.test/c'];

/** Browses with browsers of which the first `crashes` crash on page b; undefined after `most` browsers. */
async function browseWith({ crashes, most = 10 }: { crashes: number; most?: number }) {
  let started = 0;
  let isOpen = false;
  const opened: string[] = [];
  const result = await browse({
    async openBrowser() {
      if (!isOpen && started >= most) return undefined;
      if (!isOpen) started++;
      isOpen = true;
      return {
        async explore(url) {
          isOpen = !(url === PAGES[1] && started <= crashes);
          if (!isOpen) return undefined;
          opened.push(url);
          return { views: [], sockets: [], clicks: 0, avoided: 0 };
        },
        isOpen: () => isOpen,
      };
    },
    load: () => assert.fail('no page requests anything'),
    mayLoad: () => false,
    isCovered: () => true,
    isKnown: () => false,
    inventory: createInventory(),
    seenAs: null,
    pages: PAGES.map((url) => ({ url })),
    bounds: { browserPages: 10, clicksPerPage: 1 },
    mostRequests: 10,
    mostMs: 60_000,
  });
  return { opened, started, unopened: result.unopened };
}

describe('a browser that crashes', () => {
  it('is replaced, and the page opened once more', async () => {
    assert.deepEqual(await browseWith({ crashes: 1 }), { opened: PAGES, started: 2, unopened: [] });
  });

  it('costs the page that crashes it twice, not the others', async () => {
    const [a, b, c] = PAGES;
    assert.deepEqual(await browseWith({ crashes: 2 }), { opened: [a, c], started: 3, unopened: [b] });
  });

  it('names the pages left unopened when no browser starts any more', async () => {
    const [a, b, c] = PAGES;
    assert.deepEqual(await browseWith({ crashes: 9, most: 1 }), { opened: [a], started: 1, unopened: [b, c] });
  });
});
