import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRobots } from '../readers/read-robots.ts';
import { createInventory, type InventoryItem, parametersOf, templateOf } from './inventory.ts';

const itemOf = (url: string, changes: Partial<InventoryItem> = {}): InventoryItem => ({
  method: 'GET',
  url,
  parameters: parametersOf(url),
  seenAs: null,
  contentType: '',
  ...changes,
});
const template = (path: string) => templateOf(itemOf(`http://shop.test${path}`));

describe('requests are of one kind', () => {
  it('when only numbers, dates or random parts of the path differ', () => {
    const ids = [
      '7',
      '123456',
      '2026-11-15',
      '2026-11',
      '6f1c0f9e-8d2b-4c55-9a53-0d4c2a7b1e11',
      '5f43a1b2c3d4e5f60718293a',
    ];
    assert.equal(new Set(ids.map((id) => template(`/items/${id}/view`))).size, 1);
    assert.equal(template('/items/7'), 'GET http://shop.test/items/{id}');
  });

  it('when only values or the order of the query differ', () => {
    assert.equal(template('/?a=1&b=2'), template('/?b=3&a=4&a=5'));
  });

  it('when only the places in lists differ, or what every request has', () => {
    const withLeaf = (location: 'json' | 'header', name: string) =>
      templateOf(itemOf('http://shop.test/x', { parameters: [{ location, name, value: '' }] }));
    assert.equal(withLeaf('json', '/items/0/id'), withLeaf('json', '/items/12/id'));
    assert.notEqual(withLeaf('json', '/items/0/id'), withLeaf('json', '/items/0/name'));
    assert.equal(withLeaf('header', 'Referer'), template('/x'));
  });

  it('not when they ask for different things at one address', () => {
    const asked = (operation: string) => templateOf(itemOf('http://shop.test/graphql', { operation }));
    assert.notEqual(asked('query user'), asked('query order'));
  });

  it('not when paths, names, methods or origins differ', () => {
    const kinds = [template('/items/new'), template('/items/old'), template('/items/7'), template('/items/7?a=1')];
    const post = templateOf(itemOf('http://shop.test/items/7', { method: 'POST' }));
    const elsewhere = templateOf(itemOf('http://shop.test:81/items/7'));
    assert.equal(new Set([...kinds, post, elsewhere]).size, 6);
  });
});

describe('the inventory', () => {
  it('keeps the first of each kind, also over a restart', () => {
    const inventory = createInventory();
    assert.equal(inventory.add(itemOf('http://shop.test/items/7')), true);
    assert.equal(inventory.add(itemOf('http://shop.test/items/8', { seenAs: 'alice' })), false);
    const again = createInventory(inventory.items());
    assert.equal(again.add(itemOf('http://shop.test/items/9')), false);
    assert.deepEqual(again.items(), [itemOf('http://shop.test/items/7')]);
  });

  it('remembers who has met what, few times each', () => {
    const inventory = createInventory();
    const seen = (as: string | null, id: number) => {
      const url = `http://shop.test/orders/${id}`;
      inventory.add(itemOf(url, { seenAs: as, sightings: [{ as, url, status: 200 }] }));
    };
    for (const id of [1, 1, 2, 3]) seen('alice', id);
    seen('bob', 4);
    const [item] = inventory.items();
    assert.equal(item?.seenAs, 'alice');
    assert.deepEqual(
      item?.sightings?.map(({ as, url }) => `${as} ${url.slice(-1)}`),
      ['alice 1', 'alice 2', 'bob 4'],
    );
  });

  it('counts a request that failed without an account as one of the account that it served', () => {
    const url = 'http://shop.test/report';
    const met = (as: string | null, status: number) =>
      itemOf(url, { seenAs: as, contentType: `type/${status}`, sightings: [{ as, url, status }] });
    for (const [toVisitors, toAccount, seenAs] of [
      [500, 200, 'alice'],
      [400, 200, 'alice'],
      [400, 400, null],
      [200, 200, null],
      [404, 200, null],
      [500, 500, null],
    ] as const) {
      const inventory = createInventory([]);
      inventory.add(met(null, toVisitors));
      inventory.add(met('alice', toAccount));
      const [item] = inventory.items();
      assert.equal(item?.seenAs, seenAs, `${toVisitors} and ${toAccount}`);
      assert.equal(item?.contentType, `type/${seenAs === null ? toVisitors : toAccount}`);
    }
  });

  it('says when something was left out', () => {
    const inventory = createInventory();
    for (let n = 0; n < 1_000; n++) inventory.add(itemOf(`http://shop.test/p${n}x`));
    assert.equal(inventory.isFull(), false);
    inventory.add(itemOf('http://shop.test/more'));
    assert.equal(inventory.isFull(), true);
  });

  it('has bounds in number and in size', () => {
    const many = createInventory();
    for (let n = 0; n < 3_000; n++) many.add(itemOf(`http://shop.test/p${n}x`));
    assert.equal(many.items().length, 1_000);
    const large = createInventory();
    const value = 'v'.repeat(40_000);
    for (let n = 0; n < 100; n++) {
      large.add(itemOf(`http://shop.test/p${n}x`, { parameters: [{ location: 'form', name: 'viewstate', value }] }));
    }
    assert.ok(JSON.stringify(large.items()).length < 600_000);
    assert.ok(large.items().length >= 10);
  });

  it('finds values in the query and in the path', () => {
    assert.deepEqual(parametersOf('http://shop.test/items/7/x?a=1&a=%20'), [
      { location: 'query', name: 'a', value: '1' },
      { location: 'query', name: 'a', value: ' ' },
      { location: 'path', name: '1', value: '7' },
    ]);
  });
});

describe('a robots file', () => {
  it('names places of the site, but no patterns and no sitemaps', () => {
    const text =
      'User-agent: *\nDisallow: /admin\r\n allow: /b # c\nDisallow: /*.php$\nSitemap: /map.xml\nDisallow:\nDisallow: /admin';
    assert.deepEqual(readRobots(text, 'http://shop.test/deep/'), ['http://shop.test/admin', 'http://shop.test/b']);
  });

  it('has bounds', () => {
    const lines = Array.from({ length: 5_000 }, (_, n) => `Disallow: /p${n}`);
    assert.equal(readRobots(lines.join('\n'), 'http://shop.test/').length, 100);
    assert.deepEqual(readRobots(`Disallow: /${'x'.repeat(50_000)}`, 'http://shop.test/'), []);
  });
});

describe('what links name for the scripts of a page', () => {
  it('belongs to the page, once for each name', () => {
    const inventory = createInventory([itemOf('http://shop.test/app?a=1')]);
    const named = (name: string) => ({ location: 'fragment' as const, name, value: 'x' });
    for (const name of ['sort', 'find', 'sort']) {
      const url = 'http://shop.test/app?a=2';
      inventory.meet(itemOf(url, { parameters: [...parametersOf(url), named(name)] }));
    }
    assert.deepEqual(
      inventory.items().map(({ parameters }) => parameters.map(({ location, name }) => `${location} ${name}`)),
      [['query a', 'fragment sort', 'fragment find']],
    );
  });
});
