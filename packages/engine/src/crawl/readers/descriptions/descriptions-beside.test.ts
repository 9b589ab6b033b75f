import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InventoryItem } from '../../inventory/inventory.ts';
import { descriptionsBeside } from './descriptions-beside.ts';

const met = (url: string, contentType = 'application/json'): InventoryItem => ({
  method: 'GET',
  url: `https://shop.test${url}`,
  parameters: [],
  seenAs: null,
  contentType,
});

describe('the description of an API', () => {
  it('is looked for in the folders of its requests, each once', () => {
    const found = descriptionsBeside([met('/shop/api/v2/teas'), met('/shop/api/v2/orders/7')]);
    assert.deepEqual(
      found.filter((url) => url.endsWith('openapi.yml')),
      ['https://shop.test/shop/api/openapi.yml', 'https://shop.test/shop/api/v2/openapi.yml'],
    );
  });

  it('is not looked for at the top, beside pages, or in more folders than a site has APIs', () => {
    assert.deepEqual(descriptionsBeside([met('/api/teas'), met('/shop/api/help', 'text/html'), met('/shop/teas')]), []);
    const many = Array.from({ length: 50 }, (_, index) => met(`/shop-${index}/api/teas`));
    assert.equal(descriptionsBeside(many).length, 8);
  });
});
