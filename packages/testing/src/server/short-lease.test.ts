import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { it } from 'node:test';
import { shortLease } from './short-lease.ts';

it('a short lease is as given on an idle machine, longer under load, and bounded', () => {
  const at = (waitingForEachCore: number) =>
    Number(shortLease(2_000, waitingForEachCore * availableParallelism()).SORTIE_LEASE_MS);
  assert.deepEqual([0, 1, 3, 50].map(at), [2_000, 2_000, 6_000, 10_000]);
});
