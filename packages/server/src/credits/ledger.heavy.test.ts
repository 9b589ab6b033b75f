import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removePlantedBugs } from '@sortie/testing/models/kit/planted-bugs.ts';
import { assertReached, createPlay } from '@sortie/testing/models/kit/play.ts';
import { ledgerBugs } from '@sortie/testing/models/ledger/bugs.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';

const lists = isFull ? 800 : 24;
const rushes = isFull ? 250 : 8;
const atLeast = isFull ? 10 : 1;
const { seed, playInParallel, assertFindsPlantedBugs } = createPlay('ledger');

const happenings = [
  ...['GRANT', 'HOLD', 'CHARGE', 'RETURN', 'EXPIRE', 'ADJUST', 'INSUFFICIENT_CREDITS'],
  'return to an expired grant',
];
const refusals = ['API_KEY_CAP_EXCEEDED', 'ORG_CREDIT_CAP_EXCEEDED'];

describe('the ledger', () => {
  it('answers and holds what its model says after every command of a list', async (test) => {
    const result = await playInParallel({ lists, rushes: 0 });
    const { commands = 0 } = result.counts;
    const average = commands / lists;
    test.diagnostic(`seed ${seed}, ${lists} lists, ${commands} commands, ${JSON.stringify(result.reached)}`);
    assert.ok(average >= 15, `a list had ${average} commands on average`);
    assertReached(result, [...happenings, ...refusals], atLeast);
  });

  it('gives eight connections at once the answers of one after another, and never overspends', async (test) => {
    const result = await playInParallel({ lists: 0, rushes });
    const { commands } = result.counts;
    test.diagnostic(`seed ${seed}, ${rushes} lists, ${commands} commands, ${JSON.stringify(result.reached)}`);
    assertReached(result, happenings, atLeast);
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
