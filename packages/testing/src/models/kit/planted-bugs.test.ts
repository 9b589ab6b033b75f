import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { orderBugs } from '../any-order/bugs.ts';
import { ledgerBugs } from '../ledger/bugs.ts';
import { startBugs } from '../overspend/bugs.ts';

const sources = path.join(import.meta.dirname, '../../../../server/src');

describe('a planted bug', () => {
  it('fits in exactly one place of the product', () => {
    const misfits = [...ledgerBugs, ...startBugs, ...orderBugs].filter(
      ({ file, find }) => readFileSync(path.join(sources, file), 'utf8').split(find).length !== 2,
    );
    assert.deepEqual(
      misfits.map(({ name, file }) => `${name}: ${file}`),
      [],
    );
  });
});
