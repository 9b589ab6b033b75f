import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removePlantedBugs } from '@sortie/testing/models/kit/planted-bugs.ts';
import { assertReached, createPlay, seed } from '@sortie/testing/models/kit/play.ts';
import { ledgerBugs } from '@sortie/testing/models/ledger/bugs.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';

const lists = isFull ? 4_000 : 40;
const rushes = isFull ? 500 : 12;
const atLeast = isFull ? 10 : 1;
const { playInParallel, assertFindsPlantedBugs } = createPlay('ledger');

/** Events that even a few command lists reach; the full run has to reach all `happenings`. */
const often = ['GRANT', 'HOLD', 'CHARGE', 'RETURN', 'EXPIRE', 'ADJUST', 'INSUFFICIENT_CREDITS'];
const happenings = [...often, 'return to an expired grant'];
const refusals = ['API_KEY_CAP_EXCEEDED', 'ORG_CREDIT_CAP_EXCEEDED'];

describe('the ledger', () => {
  it('answers and holds what its model says after every command of a list', async (test) => {
    const result = await playInParallel({ lists, rushes: 0 });
    const { commands = 0 } = result.counts;
    const average = commands / lists;
    test.diagnostic(`seed ${seed}, ${lists} lists, ${commands} commands, ${JSON.stringify(result.reached)}`);
    assert.ok(average >= 15, `a list had ${average} commands on average`);
    assertReached(result, isFull ? [...happenings, ...refusals] : often, atLeast);
  });

  it('gives eight connections at once the answers of one after another, and never overspends', async (test) => {
    const result = await playInParallel({ lists: 0, rushes });
    const { commands } = result.counts;
    test.diagnostic(`seed ${seed}, ${rushes} lists, ${commands} commands, ${JSON.stringify(result.reached)}`);
    assertReached(result, isFull ? happenings : ['GRANT', 'HOLD', 'CHARGE'], atLeast);
  });

  // Each planted bug takes seconds, and verifies the test rather than the product.
  if (isFull)
    it('would not pass with a bug in it', async (test) => {
      test.after(removePlantedBugs);
      await assertFindsPlantedBugs(ledgerBugs, {
        untouched: { lists: 40, rushes: 5 },
        sizesOf: () => ({ lists: 400, rushes: 5 }),
      });
      test.diagnostic(`seed ${seed}, ${ledgerBugs.length} bugs planted and found`);
    });
});
