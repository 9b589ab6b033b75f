import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decoysForModels, type FlawForModels, flawsForModels } from '@sortie/range';
import { playExpert } from '@sortie/testing/engine/expert-runs.ts';
import type { Played } from '@sortie/testing/engine/pentest-orders.ts';
import { startTestRange, type TestRange } from '@sortie/testing/engine/range.ts';
import { bold, careful } from '@sortie/testing/model-server/experts/expert.ts';
import type { SeenCall } from '@sortie/testing/model-server/protocol.ts';

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

const told = (confidence: string, { class: name, method, path }: FlawForModels) =>
  `${confidence} proposed-${name} ${method} ${path}`;
/** A decoy deserves a second look: that is what FIRM says. */
const doubtful = decoysForModels.map((decoy) => told('FIRM', decoy));
const planted = [...flawsForModels.map((flaw) => told('CONFIRMED', flaw)), ...doubtful];

const seenIn = (calls: readonly SeenCall[]) => calls.flatMap(({ messages }) => messages);
/** What the service refused, and how the refusals end in an answer that the model understands. */
const REFUSALS = [/no such tool/, /Unrecognized key/, /steps: .*expected array/, /needs \\"version\\": 2/];
const refusalsIn = (calls: readonly SeenCall[]) =>
  REFUSALS.filter((refusal) => seenIn(calls).some((each) => each.role === 'result' && refusal.test(each.text)));
const hasCallsInProse = (calls: readonly SeenCall[]) =>
  seenIn(calls).some((each) => each.role === 'user' && each.text.startsWith('Work by the tools only'));
/** The tools of a specialist's first turns, in order. */
const firstTools = (calls: readonly SeenCall[]) =>
  (calls.find(({ messages }) => messages.filter(({ role }) => role === 'result').length > 20)?.messages ?? [])
    .flatMap((each) => (each.role === 'call' ? [each.name] : []))
    .slice(0, 12);

const made: Record<string, SeenCall[]> = {};

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
      made[name] = calls;
    });

    it('finds nothing at the safe twins', async () => {
      const { played } = await playExpert(range.origin, '/fellowship', style);
      assert.deepEqual(
        foundIn(played).filter((each) => each.includes('proposed-')),
        doubtful.map((each) => each.replace('/society', '/fellowship')),
      );
    });
  });
}

describe('the two models', () => {
  it('work in other orders, and only one makes mistakes, which the refusals let it mend', () => {
    const { careful: one = [], bold: other = [] } = made;
    assert.notDeepEqual(firstTools(one), firstTools(other));
    assert.deepEqual(refusalsIn(one), []);
    assert.deepEqual(refusalsIn(other), REFUSALS);
    assert.deepEqual([hasCallsInProse(one), hasCallsInProse(other)], [false, true]);
  });
});
