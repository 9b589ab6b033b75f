import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { answerKey, decoys, placeOf, twinOf } from '@sortie/range';
import { havingMet, itemAt, runAtRange } from '@sortie/testing/engine/range-runs.ts';
import type { InventoryItem, PentestFinding } from '@sortie/testing/inside/engine.ts';

const flaws = answerKey.filter(({ needs, check }) => needs === 'listener' || check === 'CMDI-BLIND');
/** A flaw that can be proved in several ways is told once. */
const OURS = new Set(flaws.map(({ cwe }) => cwe));
const watched = decoys.filter(({ id }) => id === 'followed-links');

function inventoryAt(origin: string): InventoryItem[] {
  const places = flaws.flatMap((flaw) => [placeOf(flaw), twinOf(flaw)].map((place) => itemAt(origin, place, flaw)));
  const looksAlike = watched.map(({ path, parameter }) =>
    itemAt(origin, { method: 'GET', path, parameter, location: 'query' }, { sample: 'x' }),
  );
  return [...places, ...looksAlike];
}

let findings: PentestFinding[] = [];
let summary = '';

before(async () => {
  const budget = { milliseconds: 600_000, requests: 20_000 };
  ({ findings, summary } = await runAtRange((origin) => ({
    ...havingMet(origin, inventoryAt(origin)),
    depth: 'STANDARD',
    budget,
  })));
});

const isAt = ({ affectedUrl }: PentestFinding, path: string) => new URL(affectedUrl ?? '').pathname === path;

describe('what only a call from outside shows, in the range', () => {
  for (const { id, cwe, path, safePath } of flaws) {
    it(`${id} is confirmed, and its twin is not`, () => {
      const foundAt = (place: string) =>
        findings
          .filter((finding) => isAt(finding, place) && OURS.has(Number(finding.cwe)))
          .map((finding) => [finding.cwe, finding.confidence]);
      assert.deepEqual(foundAt(path), [[cwe, 'CONFIRMED']], summary);
      assert.deepEqual(foundAt(safePath), []);
    });
  }

  it('is not taken for a flaw where a guard opens all addresses', () => {
    for (const { path } of watched) assert.ok(!findings.some((finding) => isAt(finding, path)));
  });
});
