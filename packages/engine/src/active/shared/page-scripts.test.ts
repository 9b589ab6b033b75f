import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nonce } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import domXss from '../checks/scripting/dom-xss.ts';
import type { Asking, Known } from '../define-active-check.ts';
import { createRunMemory } from '../run-memory.ts';
import {
  isAskedOften,
  isOwnProgram,
  namesReadBy,
  namesReadInRoutes,
  readsAddress,
  scriptedPagesOf,
  scriptsOf,
} from './page-scripts.ts';

const item: InventoryItem = {
  method: 'GET',
  url: 'https://shop.test/a/page',
  parameters: [],
  seenAs: null,
  contentType: 'text/html',
};

/** A site that records the requests it gets. */
function siteOf(files: Record<string, string>, type = 'text/html') {
  const asked: string[] = [];
  const known: Known = { inventory: [], accounts: [] };
  const memory = createRunMemory();
  const ask = async ({ url }: { url: string }): Promise<Exchange> => {
    asked.push(url);
    const headers = [['Content-Type', type]] as const;
    const response = { status: 200, headers, body: Buffer.from(files[new URL(url).pathname] ?? ''), isCut: false };
    const request = { method: 'GET', url, purpose: 'test' as const };
    return { request, response, failure: null, remote: null, firstByteMs: 1, durationMs: 1 };
  };
  return { asked, asking: { ask, known, memory } };
}

describe('the programs of a page', () => {
  it('are those in it and the files of its own site, and each page and file is asked for once', async () => {
    const page =
      '<script>one()</script><script src="two.js"></script><script src="https://cdn.test/three.js"></script>';
    const { asked, asking } = siteOf({ '/a/page': page, '/a/two.js': 'two()' });
    assert.equal(await scriptsOf(item, asking), 'one()\n\ntwo()');
    await scriptsOf(item, asking);
    await scriptsOf({ ...item }, asking);
    assert.deepEqual(
      asked,
      ['/a/page', '/a/two.js', '/a/page'].map((path) => `https://shop.test${path}`),
    );
  });

  it('are none where there is no page', async () => {
    assert.equal(await scriptsOf(item, siteOf({ '/a/page': '<script>x</script>' }, 'application/json').asking), '');
  });

  it('read the address, or do not', () => {
    assert.ok(readsAddress('show(location.hash)'));
    assert.ok(readsAddress('show(document.URL)'));
    assert.ok(!readsAddress('const allocation = 1'));
    assert.deepEqual(namesReadBy(`a.get('topic'); b.get("sort-by"); c.get('topic'); d.get(name)`), [
      'topic',
      'sort-by',
    ]);
  });

  it('name what they read of the query of a route, as frameworks hand it out', () => {
    const scripts = `this.route.snapshot.queryParams.q; a.queryParams["sort-by"]; b.queryParamMap.get('page');
      this.$route.query.topic; this.route.queryParams.subscribe(x); router.query.q`;
    assert.deepEqual(namesReadInRoutes(scripts), ['q', 'sort-by', 'page', 'topic']);
    assert.deepEqual(namesReadInRoutes('database.query.first; params.id'), []);
  });

  it('are told of once where many routes show the same part of them', async () => {
    const { asking } = siteOf({ '/': '<script>show(location.hash, route.queryParams.q)</script>' });
    const opened: string[] = [];
    const nobody = {
      askAsNewVisitor: () => assert.fail('nobody comes for the first time'),
      credentialsOf: () => assert.fail('nobody is asked who they are'),
      willChange: () => assert.fail('nothing is changed'),
    };
    const open: Asking['open'] = async ({ request }) => {
      opened.push(request.url);
      const calls = new RegExp(`${nonce.word}x\\d+z`).exec(decodeURIComponent(request.url.split('?q=')[1] ?? '')) ?? [];
      return { ...(await asking.ask(request)), calls: [...calls] };
    };
    const probe = (route: string) =>
      domXss.probe?.({ ...item, url: `https://shop.test/#/${route}` }, nonce, { ...asking, ...nobody, open });
    assert.deepEqual(
      (await probe('search'))?.map(({ name }) => name),
      ['q'],
    );
    assert.deepEqual(await probe('other'), []);
    assert.equal(opened.filter((url) => url.includes('#/search?q=')).length, 1);
    assert.equal(opened.filter((url) => url.includes('#/other?q=')).length, 0);
  });

  it('are looked at on the first of the pages that have the same, and nowhere where there are none', () => {
    const page = (path: string, programs?: string): InventoryItem => ({
      ...item,
      url: `https://shop.test${path}`,
      ...(programs !== undefined && { programs }),
    });
    const inventory = [page('/', 'a1'), page('/b', ''), page('/c', 'a1'), page('/d', 'b2'), page('/e'), page('/f')];
    const known: Known = { inventory, scriptedPages: scriptedPagesOf(inventory), accounts: [] };
    const looked = inventory.filter((each) => isOwnProgram(each, known)).map(({ url }) => new URL(url).pathname);
    assert.deepEqual(looked, ['/', '/d', '/e', '/f']);
    assert.ok(!isOwnProgram({ ...page('/x'), contentType: 'application/json' }, known));
  });

  it('are asked the same question on few pages of a run', () => {
    const memory = createRunMemory();
    const ask = (scripts: string, question = 'one') => isAskedOften('dom-xss', scripts, { memory }, question);
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 7].map((number) => ask(`load(${number})`)),
      [false, false, false, false, false, false, true],
    );
    assert.ok(!ask('load(5)', 'another'));
    assert.ok(!ask('other(5)'));
    assert.ok(!isAskedOften('dom-xss', 'load(6)', { memory: createRunMemory() }, 'one'));
  });
});
