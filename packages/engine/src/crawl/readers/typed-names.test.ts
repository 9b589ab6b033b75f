import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pointsOf, requestWith } from '../../active/insertion-point.ts';
import { createInventory, type InventoryItem } from '../inventory/inventory.ts';
import { noteTypedNames } from './typed-names.ts';

const url = 'http://shop.test/filter';
const html = `<form action="/filter" method="post"><input name="column" value="price"><input name="of" value="x">
  <select name="kind"><option>green</option></select><input type="button" value="Filter"></form>`;

/** The request that a script sends for the page; resolves to its points in names. */
function namesIn(names: readonly string[], location: 'form' | 'query' | 'header' = 'form') {
  const item: InventoryItem = {
    method: 'POST',
    url,
    parameters: names.map((name) => ({ location, name, value: 'up' })),
    seenAs: null,
    contentType: '',
  };
  const inventory = createInventory();
  inventory.add(structuredClone(item));
  noteTypedNames([item], { url, html }, inventory);
  return inventory.items().flatMap((each) => pointsOf(each).filter(({ parameter }) => parameter.isName));
}

describe('names of parameters that visitors type', () => {
  it('are values of the request that a script sends', () => {
    const [point, ...others] = namesIn(['of', 'price']);
    assert.ok(point && others.length === 0);
    assert.deepEqual(point.parameter, { location: 'form', name: 'price', value: 'price', isName: true });
    assert.equal(requestWith(point, 'price').body, 'of=up&price=up');
    assert.equal(requestWith(point, "a'b").body, "of=up&a'b=up");
    assert.equal(requestWith(point, "a'b").url, url);
  });

  it('are values in a query as well', () => {
    const [point] = namesIn(['price'], 'query');
    assert.ok(point);
    assert.equal(requestWith(point, 'a b').url, `${url}?a%20b=up`);
  });

  it('are no names of fields, no short values, no choices and no headers', () => {
    assert.deepEqual(namesIn(['column', 'x', 'green', 'kind']), []);
    assert.deepEqual(namesIn(['price'], 'header'), []);
  });
});
