import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InventoryItem } from '../inventory/inventory.ts';
import { olderVersions } from './older-versions.ts';

const itemOf = (path: string, changes: Partial<InventoryItem> = {}): InventoryItem => ({
  method: 'GET',
  url: `https://shop.test${path}`,
  parameters: [],
  seenAs: 'alice',
  contentType: 'application/json',
  effect: 'reads',
  sightings: [{ as: 'alice', url: `https://shop.test${path}`, status: 200 }],
  ...changes,
});

describe('older versions of an API', () => {
  it('are asked for as the known one is', () => {
    const parameters = [{ location: 'query' as const, name: 'q', value: '1' }];
    const found = olderVersions([itemOf('/api/v3/users?q=1', { parameters })]);
    assert.deepEqual(
      found.map(({ url }) => url),
      ['https://shop.test/api/v1/users', 'https://shop.test/api/v2/users'],
    );
    assert.deepEqual(found[0]?.parameters, parameters);
    assert.equal(found[0]?.sightings, undefined);
  });

  it('are those of what reads, has a version, and is not the first', () => {
    const others = [itemOf('/api/v1/users'), itemOf('/van/users'), itemOf('/api/v2/users', { method: 'POST' })];
    assert.deepEqual(olderVersions([...others, itemOf('/v2/gone', { effect: 'endangers' })]), []);
  });
});
