import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { answerKey, shiftedIds } from '@sortie/range';
import { compare } from '../../../../bench/pentest-truth.ts';
import { defaultCatalogue } from '../../../server/src/billing/catalogue.ts';
import { startBusyLoops } from './busy-loops.ts';
import { asCustomers, type RangeRun, runAtRange, sentIn, tellingOf } from './range-runs.ts';

interface EqualRuns {
  depth: 'LEAD' | 'STANDARD';
  accounts: readonly string[];
  times: number;
  /** How many processes use all CPU time beside the last run: it has to find what the others find. */
  busyLoops?: number;
  /** Adds a run at the second version of the range, whose things have other ids. */
  hasShiftedIds?: boolean;
  /** Makes the first run, at a range of its own. */
  firstRun?(): Promise<RangeRun>;
  /** Adds further tests of the runs. */
  more?(runs: readonly RangeRun[]): void;
}

/** Describes several runs of a level against the whole range, with the level's budget and these accounts. */
export function describeEqualRuns({
  depth,
  accounts,
  times,
  busyLoops = 0,
  hasShiftedIds = false,
  firstRun,
  more,
}: EqualRuns): void {
  const { maxRequests, maxMinutes } = defaultCatalogue.levels[depth];
  const budget = { requests: maxRequests, milliseconds: maxMinutes * 60_000 };

  describe(`${times + (hasShiftedIds ? 1 : 0)} runs of the level ${depth} at the whole range`, () => {
    const runs: RangeRun[] = [];
    let shifted: RangeRun | undefined;
    before(async () => {
      const order = () => ({ ...asCustomers(accounts), depth, budget });
      if (firstRun) runs.push(await firstRun());
      while (runs.length < times - 1) runs.push(await runAtRange(order));
      const stop = startBusyLoops(busyLoops);
      try {
        runs.push(await runAtRange(order));
      } finally {
        stop();
      }
      if (!hasShiftedIds) return;
      const others = accounts.map((name) => shiftedIds('customer', name));
      shifted = await runAtRange(() => ({ ...asCustomers(others), depth, budget }), { hasShiftedIds });
    });

    it('find every flaw that the level looks for, and confirm nothing else', () => {
      for (const { findings, summary } of [...runs, ...(shifted ? [shifted] : [])]) {
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

    it('leave every account able to log in, and count each request that could change something by its outcome', () => {
      for (const { lockedOut, summary, requests } of runs) {
        assert.deepEqual(lockedOut, []);
        const { all, changing, outcomes } = sentIn(summary);
        assert.equal(all, requests, summary);
        assert.equal(outcomes, changing, summary);
      }
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

    if (hasShiftedIds) {
      it('have the same fingerprints at a version of the range with other ids', (context) => {
        const fingerprints = (run: RangeRun | undefined) =>
          new Set(run?.findings.map(({ fingerprint }) => fingerprint));
        const [first, other] = [fingerprints(runs[0]), fingerprints(shifted)];
        const only = (run: RangeRun | undefined, others: Set<string>) =>
          run?.findings
            .filter(({ fingerprint }) => !others.has(fingerprint))
            .map(({ title, affectedUrl }) => `${title} ${affectedUrl}`);
        context.diagnostic(`${other.size} fingerprints`);
        assert.ok(other.size > 0);
        assert.deepEqual({ usual: only(runs[0], other), shifted: only(shifted, first) }, { usual: [], shifted: [] });
      });
    }

    it('end within the requests of the level, and leave nothing untested for want of them', (context) => {
      for (const { requests, summary } of runs) {
        context.diagnostic(`${requests} of ${maxRequests} requests`);
        assert.doesNotMatch(summary, /used up/);
      }
    });

    more?.(runs);
  });
}
