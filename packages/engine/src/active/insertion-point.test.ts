import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type InventoryItem, type Parameter, parametersOf } from '../crawl/inventory/inventory.ts';
import { itemOfForm } from '../crawl/readers/form-item.ts';
import { readPage } from '../crawl/readers/read-page.ts';
import type { Point } from './define-active-check.ts';
import { pointsOf, requestWith } from './insertion-point.ts';

const itemOf = (url: string, method: 'GET' | 'POST' = 'GET', added: Parameter[] = []): InventoryItem => ({
  method,
  url,
  parameters: [...parametersOf(url), ...added],
  seenAs: null,
  contentType: '',
});
const FORM = { type: 'application/x-www-form-urlencoded', text: 'a=%41+b&b=2&c' };
const pointAt = (item: InventoryItem, index: number) => pointsOf(item)[index] as Point;
const urlWith = (url: string, index: number, value: string) => requestWith(pointAt(itemOf(url), index), value).url;

describe('a point', () => {
  it('is each value of a request', () => {
    const item = itemOf('http://shop.test/items/7?a=1&b=2');
    assert.deepEqual(
      pointsOf(item).map(({ parameter: { location, name } }) => `${location} ${name}`),
      ['query a', 'query b', 'path 1'],
    );
  });

  it('is no document of GraphQL, but any other text of that name', () => {
    const named = (url: string, added: Parameter[] = []) =>
      pointsOf(itemOf(url, 'GET', added)).map(({ parameter: { name } }) => name);
    assert.deepEqual(named('http://shop.test/graphql?query=&page=1'), ['page']);
    assert.deepEqual(named(`http://shop.test/api?query=${encodeURIComponent('{ teas { name } }')}`), []);
    const inBody = {
      location: 'json',
      name: '/query',
      value: 'query find($id: ID!) { tea(id: $id) { name } }',
    } as const;
    assert.deepEqual(named('http://shop.test/api', [inBody]), []);
    assert.deepEqual(named('http://shop.test/search?query=tea'), ['query']);
    assert.deepEqual(named(`http://shop.test/search?query=${encodeURIComponent('{"name":"tea"}')}`), ['query']);
  });

  it('changes its own value and nothing else', () => {
    assert.equal(urlWith('http://shop.test/items/7?a=1&b=2', 0, 'x'), 'http://shop.test/items/7?a=x&b=2');
    assert.equal(urlWith('http://shop.test/items/7?a=1&b=2', 2, 'x'), 'http://shop.test/items/x?a=1&b=2');
  });

  it('is the same after it was stored as JSON', () => {
    const form = { ...itemOf('http://shop.test/a?q=1', 'POST', parametersOf('http://shop.test/?b=2')), body: FORM };
    const header: Parameter = { location: 'header', name: 'X-Shop', value: 'tea' };
    for (const point of [...pointsOf(form), ...pointsOf(itemOf('http://shop.test/b/7?c=3', 'GET', [header]))]) {
      const stored = JSON.parse(JSON.stringify(point));
      assert.deepEqual(requestWith(stored, 'x'), requestWith(point, 'x'), point.parameter.name);
    }
  });

  it('is one of several values of a name', () => {
    assert.equal(urlWith('http://shop.test/?a=1&a=2&a=1', 1, 'x'), 'http://shop.test/?a=1&a=x&a=1');
    assert.equal(urlWith('http://shop.test/1/1/1', 1, 'x'), 'http://shop.test/1/x/1');
  });

  it('is written so that the target reads exactly the value', () => {
    for (const value of [`'"<>&=+ %`, '../../etc/passwd', 'a#b?c;d', 'ä€😀', '', '\r\nX: y', '%2e%2e']) {
      const query = new URL(urlWith('http://shop.test/?a=1&b=2', 0, value));
      assert.deepEqual(
        [...query.searchParams],
        [
          ['a', value],
          ['b', '2'],
        ],
      );
      const [, segment = '', rest] = urlWith('http://shop.test/7/z', 0, value)
        .replace('http://shop.test', '')
        .split('/');
      assert.equal(decodeURIComponent(segment), value);
      assert.equal(rest, 'z');
    }
  });

  it('of a form is sent in the body, with the query of its address as it was', () => {
    const fields = [
      { location: 'form', name: 'a b', value: '1' },
      { location: 'form', name: 'c', value: '2' },
    ] as const;
    const item = itemOf('http://shop.test/say?lang=en', 'POST', [...fields]);
    assert.deepEqual(requestWith(pointAt(item, 1), 'x&y'), {
      method: 'POST',
      url: 'http://shop.test/say?lang=en',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: 'a%20b=x%26y&c=2',
    });
    assert.equal(requestWith(pointAt(item, 0), 'de').url, 'http://shop.test/say?lang=de');
    assert.equal(requestWith(pointAt(item, 0), 'de').body, 'a%20b=1&c=2');
  });

  it('leaves every other byte as it was seen', () => {
    const url = 'http://shop.test/a%2Fb/7;x=1?a=%41+b&&c&a=2&d=%zz#f';
    assert.equal(urlWith(url, 0, 'x'), url.replace('%41+b', 'x'));
    assert.equal(urlWith(url, 2, 'x'), url.replace('a=2', 'a=x'));
    assert.equal(urlWith(url, 1, 'x'), url.replace('&c&', '&c=x&'));
    for (const [index, { parameter }] of pointsOf(itemOf(url)).entries()) {
      assert.equal(urlWith(url, index, parameter.value), url, parameter.name);
    }
    const item = { ...itemOf(url, 'POST', [{ location: 'form', name: 'b', value: '2' }]), body: FORM };
    assert.equal(requestWith(pointsOf(item).at(-1) as Point, 'x&').body, 'a=%41+b&b=x%26&c');
  });

  it('takes a raw value as it is', () => {
    const written = (url: string, value: string) => requestWith(pointAt(itemOf(url), 0), value, true).url;
    assert.equal(written('http://shop.test/?a=1&b=2', '%00&x=%%'), 'http://shop.test/?a=%00&x=%%&b=2');
    assert.equal(written('http://shop.test/7/z', '..;/%2e'), 'http://shop.test/..;/%2e/z');
  });

  it('takes another name as it is, in a query or a form', () => {
    const written = (item: InventoryItem, index: number) => requestWith(pointAt(item, index), 'x y', false, 'a[$ne]');
    const url = 'http://shop.test/?b=1&a=2';
    assert.equal(written(itemOf(url), 1).url, 'http://shop.test/?b=1&a[$ne]=x%20y');
    const form = itemOf('http://shop.test/', 'POST', [{ location: 'form', name: 'a', value: '1' }]);
    assert.equal(written(form, 0).body, 'a[$ne]=x%20y');
    assert.equal(written({ ...form, body: FORM }, 0).body, 'a[$ne]=x%20y&b=2&c');
  });

  it('is added to the query when it is not in it yet', () => {
    const item = itemOf('http://shop.test/?b=2', 'GET', [{ location: 'query', name: 'q', value: 't' }]);
    assert.equal(requestWith(pointAt(item, 1), 'x y').url, 'http://shop.test/?b=2&q=x%20y');
    assert.equal(requestWith(pointAt(item, 0), '3').url, 'http://shop.test/?b=3&q=t');
  });

  it('leaves its request as it was', () => {
    const item = itemOf('http://shop.test/?a=1');
    requestWith(pointAt(item, 0), 'x');
    assert.deepEqual(item, itemOf('http://shop.test/?a=1'));
  });
});

describe('a search with a list of choices', () => {
  const html =
    '<form method=post><select name=kind><option value="">Any<option value=7>Green</select><input name=search><button name=go value=1>Go</button></form>';
  const bodies = (effectful: string) => {
    const [form] = readPage(effectful, 'https://shop.test/teas').forms;
    assert.ok(form);
    return pointsOf(itemOfForm(form, null)).map((point) => String(requestWith(point, 'x').body));
  };

  it('is tested with one value at a time, because some searches reject two', () => {
    assert.deepEqual(bodies(html), ['kind=x&search=&go=1', 'kind=&search=x&go=1', 'kind=7&search=test&go=x']);
  });

  it('is filled in completely where the form changes something', () => {
    const changing = html.replace('name=search', 'name=comment');
    assert.deepEqual(bodies(changing), [
      'kind=x&comment=test&go=1',
      'kind=test&comment=x&go=1',
      'kind=test&comment=test&go=x',
    ]);
  });
});
