import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InventoryItem } from '../inventory/inventory.ts';
import { olderCreations, olderVersions, withoutVersion } from './older-versions.ts';

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

describe('older versions of a request that creates something', () => {
  const creating = { method: 'POST', effect: 'changes' } as const;
  const foundFor = (...items: InventoryItem[]) => olderCreations(items).map(({ url }) => new URL(url).pathname);

  it('are those that are not known yet', () => {
    assert.deepEqual(foundFor(itemOf('/api/v3/notes', creating), itemOf('/api/v2/notes', creating)), ['/api/v1/notes']);
  });

  it('are not those of what changes or deletes what exists', () => {
    const id = { location: 'path' as const, name: '3', value: '7' };
    const change = { ...creating, parameters: [id] };
    const remove = { method: 'DELETE' as const, effect: 'endangers' as const, parameters: [id] };
    const put = { method: 'PUT' as const, effect: 'changes' as const, parameters: [id] };
    assert.deepEqual(
      foundFor(
        itemOf('/api/v2/notes/7', change),
        itemOf('/api/v2/notes/7', remove),
        itemOf('/api/v2/notes/7', put),
        itemOf('/api/v2/notes/update', creating),
      ),
      [],
    );
  });

  it('have the URLs of things in common with the known one', () => {
    assert.equal(
      withoutVersion('DELETE https://shop.test/api/v1/notes/{id}'),
      withoutVersion('DELETE https://shop.test/api/v2/notes/{id}'),
    );
  });
});
