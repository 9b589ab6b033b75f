import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type Explored, explorePage } from './explore.ts';
import { createTraffic } from './traffic.ts';

const quiet = { settle: async () => undefined, isBusy: () => false };

describe('the exploration of a page', () => {
  it('keeps what it has seen when it is cut off', async () => {
    const never = () => new Promise<never>(() => undefined);
    const page = {
      url: () => 'http://shop.test/',
      content: async () => '<app-root><a href="#/search">Search</a></app-root>',
      keyboard: { press: never },
    } as unknown as Page;
    const explored: Explored = { views: [], sockets: [], clicks: 0, avoided: 0 };
    void explorePage(page, quiet, { mostClicks: 3, mostMs: 1_000, isSafe: () => true }, explored);
    await setImmediate();
    assert.deepEqual(explored.views, [
      { url: 'http://shop.test/', html: '<app-root><a href="#/search">Search</a></app-root>' },
    ]);
  });

  it('clicks a control of a form only if the form allows it', async () => {
    const attributes: Record<string, string> = { action: '/do?a="1"', method: 'post' };
    const form = {
      count: async () => 1,
      getAttribute: async (name: string) => attributes[name] ?? null,
      innerHTML: async () => '<input name="f">',
      locator: () => ({ allInnerTexts: async () => ['Your order'] }),
    };
    let clicks = 0;
    const control = {
      isVisible: async () => true,
      innerText: async () => 'Save',
      getAttribute: async () => null,
      locator: () => form,
      async click() {
        clicks++;
      },
    };
    const page = {
      url: () => 'http://shop.test/',
      content: async () => '',
      keyboard: { press: async () => undefined },
      waitForLoadState: async () => undefined,
      locator: () => ({ count: async () => 1, nth: () => control }),
    } as unknown as Page;
    for (const [isAllowed, expected] of [
      [false, { clicks: 0, avoided: 1 }],
      [true, { clicks: 1, avoided: 0 }],
    ] as const) {
      clicks = 0;
      const asked: string[][] = [];
      const explored: Explored = { views: [], sockets: [], clicks: 0, avoided: 0 };
      const isSafeIn = (html: string, words: string) => {
        asked.push([html, words]);
        return isAllowed;
      };
      await explorePage(page, quiet, { mostClicks: 3, mostMs: 60_000, isSafe: () => true, isSafeIn }, explored);
      assert.deepEqual({ clicks, avoided: explored.avoided }, expected);
      assert.deepEqual(asked, [
        ['<form action="/do?a=&quot;1&quot;" method="post"><input name="f"></form>', 'Save\nYour order\n/do?a="1"'],
      ]);
    }
  });

  it('fills in a field by what it shows', async () => {
    const attributes: Record<string, string> = { name: 'doc', placeholder: 'an example' };
    const filled: string[] = [];
    const field = {
      getAttribute: async (name: string) => attributes[name] ?? null,
      inputValue: async () => 'a value',
      fill: async (text: string) => void filled.push(text),
      press: async () => undefined,
      locator: () => none,
    };
    const none: Record<string, unknown> = { all: async () => [], count: async () => 0, locator: () => none };
    const page = {
      url: () => 'http://shop.test/',
      content: async () => '',
      keyboard: { press: async () => undefined },
      waitForLoadState: async () => undefined,
      locator: (selector: string) => (selector.includes('textarea') ? { all: async () => [field] } : none),
    } as unknown as Page;
    const explored: Explored = { views: [], sockets: [], clicks: 0, avoided: 0 };
    const fillerFor = (type: string, name: string, shown: readonly string[]) => [type, name, ...shown].join('|');
    await explorePage(page, quiet, { mostClicks: 3, mostMs: 60_000, isSafe: () => true, fillerFor }, explored);
    assert.deepEqual(filled, ['text|doc an example|a value|an example']);
  });

  it('waits for the answer to a request that the browser reports late', async () => {
    const traffic = createTraffic();
    let isClicked = false;
    let isAnswered = false;
    const answer = () =>
      traffic.watch(
        setTimeout(50).then(() => {
          isAnswered = true;
        }),
      );
    const control = {
      isVisible: async () => true,
      innerText: async () => 'Load',
      getAttribute: async () => null,
      locator: () => ({ count: async () => 0 }),
      async click() {
        isClicked = true;
      },
    };
    let looks = 0;
    const page = {
      url: () => 'http://shop.test/',
      async content() {
        if (isClicked && ++looks === 2) void answer();
        return isAnswered ? 'the answer' : 'the page';
      },
      keyboard: { press: async () => undefined },
      waitForLoadState: async () => undefined,
      locator: () => ({ count: async () => 1, nth: () => control }),
    } as unknown as Page;
    const explored: Explored = { views: [], sockets: [], clicks: 0, avoided: 0 };
    await explorePage(page, traffic, { mostClicks: 1, mostMs: 60_000, isSafe: () => true }, explored);
    assert.deepEqual(
      explored.views.map(({ html }) => html),
      ['the page', 'the answer'],
    );
  });
});
