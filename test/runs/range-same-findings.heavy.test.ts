import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { answerKey, placeOf, twinOf } from '@sortie/range';
import { asCustomers, havingMet, itemAt, runAtRange, sentIn, tellingOf } from '@sortie/testing/engine/range-runs.ts';
import { casesOf, isFull } from '@sortie/testing/runner/test-size.ts';
import { compare } from '../../bench/pentest-truth.ts';

/** One of each kind that a GET of anybody shows without a browser; all of them at every level: see the long test. */
const KINDS = casesOf(['SQLI-UNION', 'LFI', 'REDIR'], ['SSTI', 'NOSQL-OP', 'LDAPI']);
const flaws = KINDS.map((kind) => {
  const flaw = answerKey.find(
    ({ check, method, location }) => `${check} ${method} ${location}` === `${kind} GET query`,
  );
  return flaw ?? assert.fail(`nothing of the kind ${kind} is planted`);
});
const inventoryAt = (origin: string) =>
  flaws.flatMap((flaw) => [placeOf(flaw), twinOf(flaw)].map((place) => itemAt(origin, place, flaw)));

const TIMES = isFull ? 3 : 2;
const runs: Awaited<ReturnType<typeof runAtRange>>[] = [];
before(async () => {
  for (let times = 0; times < TIMES; times++) {
    const { credentials = [] } = asCustomers();
    runs.push(await runAtRange((origin) => ({ ...havingMet(origin, inventoryAt(origin)), credentials })));
  }
});

describe(`${TIMES} runs at a part of the range`, () => {
  it('find every flaw, and confirm nothing else', () => {
    for (const { findings, summary } of runs) {
      const missed = compare(findings, flaws, 'LEAD').missed.map(({ id }) => id);
      const wrong = compare(findings, answerKey, 'LEAD').wrong.map(
        ({ title, affectedUrl }) => `${title} ${affectedUrl}`,
      );
      assert.deepEqual([missed, wrong], [[], []], summary);
    }
  });

  it('leave every account able to log in, and count what they sent', () => {
    for (const { lockedOut, summary, requests } of runs) {
      assert.deepEqual(lockedOut, []);
      assert.deepEqual(sentIn(summary), { all: requests, changing: 0, outcomes: 0 }, summary);
    }
  });

  it('find the same, told in the same words', () => {
    const [first, ...others] = runs.map(tellingOf);
    assert.ok(first && first.length >= flaws.length);
    for (const other of others) assert.deepEqual(other, first);
  });
});
