import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type Explored, explorePage } from './explore.ts';

describe('the exploration of a page', () => {
  it('keeps what it has seen when it is cut off', async () => {
    const never = () => new Promise<never>(() => undefined);
    const page = {
      url: () => 'http://shop.test/',
      content: async () => '<app-root><a href="#/search">Search</a></app-root>',
      keyboard: { press: never },
    } as unknown as Page;
    const explored: Explored = { views: [], sockets: [], clicks: 0, avoided: 0 };
    void explorePage(page, { mostClicks: 3, mostMs: 1_000, isSafe: () => true }, explored);
    await setImmediate();
    assert.deepEqual(explored.views, [
      { url: 'http://shop.test/', html: '<app-root><a href="#/search">Search</a></app-root>' },
    ]);
  });
});
