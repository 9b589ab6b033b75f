import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { answerKey } from '@sortie/range';
import { compare } from '../../../../bench/pentest-truth.ts';
import { defaultCatalogue } from '../../../server/src/billing/catalogue.ts';
import { startBusyLoops } from './busy-loops.ts';
import { asCustomers, type RangeRun, runAtRange, tellingOf } from './range-runs.ts';

interface EqualRuns {
  depth: 'LEAD' | 'STANDARD';
  accounts: readonly string[];
  times: number;
  /** How many processes use all CPU time beside the last run: it has to find what the others find. */
  busyLoops?: number;
  /** Adds further tests of the runs. */
  more?(runs: readonly RangeRun[]): void;
}

/** Describes several runs of a level against the whole range, with the level's budget and these accounts. */
export function describeEqualRuns({ depth, accounts, times, busyLoops = 0, more }: EqualRuns): void {
  const { maxRequests, maxMinutes } = defaultCatalogue.levels[depth];
  const budget = { requests: maxRequests, milliseconds: maxMinutes * 60_000 };

  describe(`${times} runs of the level ${depth} at the whole range`, () => {
    const runs: RangeRun[] = [];
    before(async () => {
      const order = () => ({ ...asCustomers(accounts), depth, budget });
      while (runs.length < times - 1) runs.push(await runAtRange(order));
      const stop = startBusyLoops(busyLoops);
      try {
        runs.push(await runAtRange(order));
      } finally {
        stop();
      }
    });

    it('find every flaw that the level looks for, and confirm nothing else', () => {
      for (const { findings, summary } of runs) {
        const { missed, wrong } = compare(findings, answerKey, depth);
        assert.deepEqual(
          missed.map(({ id }) => id),
          [],
          summary,
        );
        const confirmed = wrong.filter(({ confidence }) => confidence === 'CONFIRMED');
        assert.deepEqual(
          confirmed.map(({ title, affectedUrl }) => `${title} ${affectedUrl}`),
          [],
        );
      }
    });

    it('trigger nothing that nobody may trigger', () => {
      for (const { touches } of runs) assert.deepEqual(touches, {});
    });

    it('find the same, told in the same words', () => {
      const [first, ...others] = runs.map(tellingOf);
      assert.ok(first && first.length > 0);
      for (const other of others) assert.deepEqual(other, first);
    });

    it('have the same fingerprints, each run at another port', () => {
      const [first, ...others] = runs.map(({ findings }) => findings.map(({ fingerprint }) => fingerprint).toSorted());
      for (const other of others) assert.deepEqual(other, first);
    });

    it('end within the requests of the level, and leave nothing untested for want of them', (context) => {
      for (const { requests, summary } of runs) {
        context.diagnostic(`${requests} of ${maxRequests} requests`);
        assert.doesNotMatch(summary, /used up/);
      }
    });

    more?.(runs);
  });
}
