import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EgressEntry } from '@sortie/engine';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { inTransaction } from '../db/database.ts';
import { listEgress, recordEgress } from './egress.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const record = (runId: string, entries: readonly EgressEntry[]) =>
  inTransaction(test.database, (tx) => recordEgress(tx, runId, entries));

async function list(runId: string) {
  const rows = await listEgress(test.database.queries, runId);
  return rows.map(({ firstAt: _first, lastAt: _last, ...row }) => row);
}

function contacted(changes: Partial<EgressEntry> = {}): EgressEntry {
  const place = { host: 'shop.example.com', port: 443, address: '203.0.113.7' };
  return { ...place, outcome: 'CONTACTED', reason: null, connections: 1, requests: 3, ...changes };
}

const refused = contacted({
  outcome: 'REFUSED',
  address: null,
  reason: 'It is excluded.',
  connections: 0,
  requests: 2,
});

describe('where a run went', () => {
  it('is added up over its steps, by destination and outcome', async () => {
    await record('pen_1', [contacted(), refused]);
    await record('pen_1', [contacted({ connections: 2, requests: 10 }), contacted({ port: 80 })]);
    assert.deepEqual(await list('pen_1'), [
      contacted({ connections: 3, requests: 13 }),
      contacted({ port: 80 }),
      refused,
    ]);
  });

  it('is its own: other runs have theirs, and a run that went nowhere has none', async () => {
    await record('pen_2', []);
    assert.deepEqual(await list('pen_2'), []);
  });

  it('takes the same destination twice in one step', async () => {
    await record('pen_3', [contacted(), contacted()]);
    assert.deepEqual(await list('pen_3'), [contacted({ connections: 2, requests: 6 })]);
  });

  it('stays within bounds, and still counts everything', async () => {
    for (let step = 0; step < 25; step++) {
      const entries = Array.from({ length: 100 }, (_, index) => contacted({ host: `h${step}-${index}.example.com` }));
      await record('pen_4', entries);
    }
    const rows = await list('pen_4');
    assert.ok(rows.length <= 2_001, `${rows.length} rows`);
    assert.equal(
      rows.reduce((sum, { requests }) => sum + requests, 0),
      25 * 100 * 3,
    );
  });
});
