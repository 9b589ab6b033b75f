import assert from 'node:assert/strict';
import { it } from 'node:test';
import { endOf, expiries, overlaps } from './period.ts';

it('counts a period of a key from now, and knows keys without an end', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  assert.equal(endOf(expiries, '30d', now), '2026-03-02T12:00:00.000Z');
  assert.equal(endOf(overlaps, '1h', now), '2026-01-31T13:00:00.000Z');
  assert.equal(endOf(expiries, 'never', now), null);
  assert.throws(() => endOf(overlaps, 'never', now), /never/);
});
