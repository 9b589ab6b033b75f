import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { flawsForModels } from '@sortie/range';
import { playExpert } from '@sortie/testing/engine/expert-runs.ts';
import type { Played } from '@sortie/testing/engine/pentest-orders.ts';
import { startTestRange, type TestRange } from '@sortie/testing/engine/range.ts';
import { bold, careful } from '@sortie/testing/model-server/experts/expert.ts';

/** Whole runs at STANDARD, planned by scripted models that know the range by the results of their tools alone. */
let range: TestRange;
before(async () => {
  range = await startTestRange({ isWhole: true });
});
after(() => range.stop());

const foundIn = ({ steps }: Played) =>
  steps
    .flatMap(({ findings }) => findings)
    .filter(({ affectedUrl }) => new URL(affectedUrl ?? '').pathname.match(/^\/(?:society|fellowship)/))
    .map(({ confidence, checkId, method, affectedUrl }) => {
      const place = new URL(affectedUrl ?? '').pathname.replace(/\/id(?=\/|$)/, '/{id}');
      return `${confidence} ${checkId} ${method} ${place}`;
    });

const planted = flawsForModels.map(({ class: name, method, path }) => `CONFIRMED proposed-${name} ${method} ${path}`);

for (const [name, style] of Object.entries({ careful, bold })) {
  describe(`a ${name} model`, () => {
    it('finds what no check finds, each confirmed', async () => {
      const { played, calls } = await playExpert(range.origin, '/society', style);
      assert.ok(played.ended !== 'paused' && played.ended.outcome === 'COMPLETED');
      const found = foundIn(played);
      assert.deepEqual(found.filter((each) => each.includes('proposed-')).toSorted(), planted.toSorted());
      // The checks read the same pages before: they find the headers that the whole range lacks, and nothing else.
      const byChecks = found.filter((each) => !each.includes('proposed-') && each.startsWith('CONFIRMED'));
      assert.deepEqual(
        byChecks.filter((each) => !/ (?:csp|nosniff)-missing /.test(each)),
        [],
      );
      assert.ok(calls.every(({ protocol, body }) => protocol === 'openai-compatible' && body.stream === true));
    });

    it('finds nothing at the safe twins', async () => {
      const { played } = await playExpert(range.origin, '/fellowship', style);
      assert.deepEqual(
        foundIn(played).filter((each) => each.includes('proposed-')),
        [],
      );
    });
  });
}
