import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInventory } from '../inventory/inventory.ts';
import { bounds } from './bounds.ts';
import { browse } from './browse.ts';
import { crawl } from './crawl.ts';

const ORIGIN = 'http://shop.test';

/** Opens pages whose scripts show the given markup. Resolves to the paths that were opened. */
async function open(pages: readonly { url: string; like?: string }[], show: (url: string) => string) {
  const opened: string[] = [];
  const explore = async (url: string) => {
    opened.push(url.slice(ORIGIN.length));
    return { views: [{ url, html: show(url) }], sockets: [], clicks: 0, avoided: 0 };
  };
  await browse({
    openBrowser: async () => ({ explore, isOpen: () => true }),
    load: () => assert.fail('no page requests anything'),
    mayLoad: () => false,
    isCovered: () => true,
    isKnown: () => true,
    inventory: createInventory(),
    seenAs: null,
    pages: pages.map((page) => ({ ...page, url: ORIGIN + page.url })),
    bounds: { browserPages: 30, clicksPerPage: 1 },
    mostRequests: 10,
    mostMs: 60_000,
  });
  return opened;
}

const like = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ url: `/lesson/${from + index}`, like: 'lesson' }));

describe('pages that look alike', () => {
  it('are opened as long as their scripts show something else', async () => {
    const opened = await open(
      [...like(1, 6), { url: '/about', like: 'about' }],
      (url) => `<form><input name="field${url.slice(-1)}"></form>`,
    );
    assert.deepEqual(opened, ['/lesson/1', '/about', ...[2, 3, 4, 5, 6].map((each) => `/lesson/${each}`)]);
  });

  it('are left if two in a row show nothing new', async () => {
    assert.deepEqual(await open(like(1, 9), () => '<p>text</p>'), ['/lesson/1', '/lesson/2', '/lesson/3']);
  });

  it('may be hash routes that differ in an ID', async () => {
    const links = Array.from({ length: 9 }, (_, index) => `<a href="#/tea/${index}">tea</a>`).join('');
    const opened = await open([{ url: '/' }], () => `${links}<a href="#/last">last</a>`);
    assert.deepEqual(opened, ['/', '/#/tea/0', '/#/tea/1', '/#/tea/2', '/#/last']);
  });

  it('are kept by the crawl after one of each structure, those with a form that only a script sends first', async () => {
    const page = '<p>lesson</p><script>run()</script>';
    const { scripted } = await crawl({
      async visit(url) {
        const { pathname } = new URL(url);
        const links = ['a', 'b', 'c'].map((each) => `<a href="/lesson/${each}">x</a>`).join('');
        const sent = `<form method="post" action="/ask"><input type="button" value="Ask"></form>${page}`;
        const pages: Record<string, string> = {
          '/': `${links}<a href="/z">z</a><a href="/form">f</a>`,
          '/z': `<b>z</b>${page}`,
          '/form': sent,
          '/ask': 'nothing',
        };
        const body = pages[pathname] ?? page;
        const response = {
          status: 200,
          headers: [['Content-Type', 'text/html']] as [string, string][],
          body: Buffer.from(body),
          isCut: false,
        };
        const request = { method: 'GET', url, purpose: 'test' as const };
        return { request, response, failure: null, remote: null, firstByteMs: 1, durationMs: 1 };
      },
      isCovered: () => true,
      inventory: createInventory(),
      seenAs: null,
      seeds: [{ url: `${ORIGIN}/`, source: 'link' }],
      mostPages: 20,
      mostMs: 60_000,
      bounds: bounds.DEEP,
    });
    assert.deepEqual(
      scripted.map(({ url }) => url.slice(ORIGIN.length)),
      ['/form', '/lesson/a', '/z', '/lesson/b', '/lesson/c'],
    );
  });
});
