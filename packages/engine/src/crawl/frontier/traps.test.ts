import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { createInventory } from '../inventory/inventory.ts';
import { learnBaseline } from './baseline.ts';
import { bounds } from './bounds.ts';
import { crawl } from './crawl.ts';
import type { CrawlOptions } from './crawl-options.ts';

const ORIGIN = 'http://shop.test';
const link = (href: string, words = 'x') => `<a href="${href}">${words}</a>`;

interface Answer {
  status?: number;
  location?: string;
  body?: string;
  type?: string;
}
type Site = (path: string) => Answer | string | 'silence';

function exchangeOf(url: string, answer: ReturnType<Site>): Exchange {
  const base = {
    request: { method: 'GET', url, purpose: 'test' as const },
    remote: null,
    firstByteMs: 1,
    durationMs: 1,
  };
  if (answer === 'silence') return { ...base, response: null, failure: { code: 'TIMEOUT', message: 'No answer.' } };
  const {
    status = 200,
    location,
    body = '',
    type = 'text/html',
  } = typeof answer === 'string' ? { body: answer } : answer;
  const headers: [string, string][] = [
    ['Content-Type', type],
    ...(location ? [['Location', location] as [string, string]] : []),
  ];
  return { ...base, response: { status, headers, body: Buffer.from(body), isCut: false }, failure: null };
}

async function crawlSite(site: Site, changes: Partial<CrawlOptions> = {}) {
  const visited: string[] = [];
  const inventory = createInventory();
  const result = await crawl({
    async visit(url) {
      visited.push(url.slice(ORIGIN.length));
      return exchangeOf(url, site(url.slice(ORIGIN.length)));
    },
    isCovered: (url) => url.startsWith(`${ORIGIN}/`),
    inventory,
    seenAs: null,
    seeds: [{ url: `${ORIGIN}/`, source: 'link' }],
    mostPages: 200,
    mostMs: 60_000,
    ...changes,
  });
  return { ...result, visited, items: inventory.items() };
}

describe('a crawler is not caught', () => {
  it('by filters that can be combined, yet tries each of them', async () => {
    const names = ['colour', 'size', 'brand', 'price', 'sort', 'stock'];
    const shop: Site = (path) => {
      const chosen = new URL(path, ORIGIN).searchParams;
      return names.map((name) => link(`/list?${new URLSearchParams([...chosen, [name, '1']])}`)).join('');
    };
    const { visited, trapped } = await crawlSite(shop);
    assert.ok(visited.length < 40, String(visited.length));
    for (const name of names) assert.ok(visited.some((path) => path.includes(name)));
    assert.ok(trapped > 0);
  });

  it('by sessions in addresses and by queries in another order', async () => {
    let visits = 0;
    const site: Site = () => link(`/a;jsessionid=${++visits}?x=1&y=2&sid=${visits}`) + link(`/a?y=2&x=1`);
    assert.equal((await crawlSite(site)).visited.length, 2);
  });

  it('by addresses that carry the ones before them', async () => {
    const site: Site = (path) => link(`/login?next=${encodeURIComponent(path)}&a${path.length}=1`);
    assert.ok((await crawlSite(site)).visited.length < 30);
  });

  it('by pages that are built alike: other pages come first', async () => {
    const site: Site = (path) => {
      const articles = Array.from({ length: 100 }, (_, n) =>
        link(`/blog/story-${String.fromCharCode(97 + (n % 26))}${n}x`),
      );
      return path === '/' ? articles.join('') + link('/blog/more/search?q=1') : '<article>words</article>';
    };
    const { visited, alike } = await crawlSite(site);
    assert.ok(visited.indexOf('/blog/more/search?q=1') <= 6, String(visited.indexOf('/blog/more/search?q=1')));
    assert.ok(visited.length <= 45 && alike > 0);
  });

  it('by pages that never answer', async () => {
    const slow = Array.from({ length: 30 }, (_, n) => link(`/stream/s${n}x`));
    const site: Site = (path) => (path === '/' ? slow.join('') + link('/ok') : path === '/ok' ? '' : 'silence');
    const { visited, unanswered } = await crawlSite(site);
    assert.ok(visited.length <= 5 && visited.includes('/ok'));
    assert.equal(unanswered, 2);
  });

  it('by links without end, beyond its depth', async () => {
    const site: Site = (path) => link(`${path === '/' ? '' : path}/${path.split('/').length.toString(36)}k`);
    const { visited, deep } = await crawlSite(site, { bounds: { ...bounds.LEAD, linkDepth: 4 } });
    assert.equal(visited.length, 5);
    assert.equal(deep, 1);
  });
});

describe('a site that has an answer for everything', () => {
  const learn = (site: Site) =>
    learnBaseline(async (url) => exchangeOf(url, site(url.slice(ORIGIN.length))), `${ORIGIN}/`, 'zq7');

  it('is known by its answer to what nobody has', async () => {
    const site: Site = (path) =>
      path === '/real'
        ? '<h1>Teas of the season</h1><p>Sencha, Assam and others</p>'
        : `<h1>Oops</h1>${path} is not here`;
    const start: Site = (path) => (path === '/' ? link('/real') + link('/gone') : site(path));
    const { items } = await crawlSite(start, { baseline: await learn(start) });
    assert.deepEqual(
      items.map(({ url }) => url.slice(ORIGIN.length)),
      ['/', '/real'],
    );
  });

  it('that is one page for all keeps that page', async () => {
    const site: Site = () => `<div id="app"></div>${link('/about')}`;
    const { items } = await crawlSite(site, { baseline: await learn(site) });
    assert.deepEqual(
      items.map(({ url }) => url.slice(ORIGIN.length)),
      ['/'],
    );
  });

  it('is not seen in one that says what it does not have', async () => {
    const site: Site = (path) => (path === '/' ? link('/a') : path === '/a' ? 'x' : { status: 404, body: 'x' });
    assert.equal((await crawlSite(site, { baseline: await learn(site) })).items.length, 2);
  });

  it('is also one that sends everybody to the same place', async () => {
    const site: Site = (path) =>
      path === '/' ? link('/a') : path === '/home' ? 'home' : { status: 302, location: '/home' };
    assert.deepEqual((await crawlSite(site, { baseline: await learn(site) })).items.length, 1);
  });
});

describe('a form', () => {
  const page = `<form method="post" action="/notes"><input name="text"><button>Save</button></form>`;

  it('is sent only where that is allowed', async () => {
    const sent: string[] = [];
    const submit: CrawlOptions['submit'] = async ({ url }) => {
      sent.push(url);
      return exchangeOf(url, { status: 201, location: '/notes/17' });
    };
    const bound = { bounds: bounds.STANDARD, submit };
    await crawlSite(() => page, { ...bound, maySubmit: () => false });
    await crawlSite(() => page, { ...bound, bounds: bounds.LEAD, maySubmit: () => true });
    assert.deepEqual(sent, []);
    const { submitted } = await crawlSite(() => page, { ...bound, maySubmit: () => true });
    assert.deepEqual([submitted, sent], [1, [`${ORIGIN}/notes`]]);
  });

  it('makes things that are ours: what is dangerous elsewhere is noted for them', async () => {
    const remove = (id: number) => `<form method="post" action="/notes/${id}/remove"><button>Delete</button></form>`;
    const site: Site = (path) => (path === '/' ? page + link('/notes/1') : remove(Number(path.slice(7))));
    const { items, avoided } = await crawlSite(site, {
      bounds: bounds.STANDARD,
      maySubmit: ({ effect }) => effect === 'changes',
      submit: async ({ url }) => exchangeOf(url, { status: 201, location: '/notes/17' }),
    });
    const removal = items.find(({ url }) => url.endsWith('/remove'));
    assert.deepEqual(
      [removal?.url, removal?.isOurs, removal?.effect],
      [`${ORIGIN}/notes/17/remove`, true, 'endangers'],
    );
    assert.ok(avoided >= 1);
  });

  it('with files is noted with the names of its files', async () => {
    const upload = `<form method="post" enctype="multipart/form-data" action="/up"><input type="file" name="f"><input name="t"></form>`;
    const { items } = await crawlSite(() => upload);
    const item = items.find(({ method }) => method === 'POST');
    assert.deepEqual(
      item?.parameters.map(({ location, name }) => `${location} ${name}`),
      ['multipart f', 'fileName f', 'multipart t'],
    );
  });
});

describe('answers of programs', () => {
  it('are followed by the addresses in them', async () => {
    const answers: Record<string, string> = {
      '/': '{"data":[{"id":1,"href":"/items/1"}],"next_url":"/list?page=2","name":"/not-a-link","image_url":"http://other.test/"}',
    };
    const site: Site = (path) => ({ type: 'application/json', body: answers[path] ?? '{}' });
    assert.deepEqual((await crawlSite(site)).visited.toSorted(), ['/', '/items/1', '/list?page=2']);
  });
});
