import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSecretIndex } from './secret-index.ts';
import { mergeSpans } from './spans.ts';

const range = (length: number) => Array.from({ length }, (_, number) => number);

function indexOf(secrets: readonly string[]) {
  const index = createSecretIndex();
  for (const secret of secrets) index.add(secret);
  return index;
}

/** Compares at every position, which takes text × secrets. */
function findSlowly(text: string, secrets: readonly string[]) {
  const fold = (each: string) => each.toLowerCase().replaceAll('+', ' ');
  const starts = range(text.length).flatMap((start) =>
    secrets
      .filter((secret) => fold(text).startsWith(fold(secret), start))
      .map(({ length }) => ({ start, end: start + length })),
  );
  return mergeSpans(starts);
}

/** Built to maximize the cost of a search, with the comparisons that one character may take. */
const hostile: Record<string, { most: number; secretOf: (number: number) => string }> = {
  'one prefix': { most: 5, secretOf: (number) => `${'a'.repeat(500)}b${number}` },
  'one suffix': { most: 5, secretOf: (number) => `${number}b${'a'.repeat(500)}` },
  'one different letter': {
    most: 5,
    secretOf: (number) => `${'a'.repeat(number * 10)}b${'a'.repeat(500 - number * 10)}`,
  },
  // All 30 consist of one window.
  'within each other': { most: 30, secretOf: (number) => 'a'.repeat(500 + number) },
};
const texts = ['a'.repeat(20_000), `${'a'.repeat(499)}b`.repeat(40), `${'a'.repeat(30)}b`.repeat(600)];

describe('a secret index', () => {
  it('finds the same parts as a comparison at every position', () => {
    const letters = (minLength: number, maxLength: number) =>
      fc.string({ minLength, maxLength, unit: fc.constantFrom('a', 'b', 'B', '+', ' ', 'É', 'é') });
    fc.assert(
      fc.property(
        fc.array(letters(4, 12), { maxLength: 12 }),
        letters(0, 200),
        letters(0, 20),
        (secrets, one, other) => {
          const text = [one, ...secrets, other].join('');
          assert.deepEqual(indexOf(secrets).find(text), findSlowly(text, secrets));
        },
      ),
    );
  });

  it('finds no secret after its removal, and still all others', () => {
    const index = createSecretIndex();
    const removals = range(100).map((number) => index.add(`secret-number-${number}.`));
    for (const remove of removals.slice(0, 50)) remove();
    for (const number of range(100)) {
      assert.equal(index.find(`xsecret-number-${number}.y`).length, number < 50 ? 0 : 1, `${number}`);
    }
  });

  for (const [kind, { most, secretOf }] of Object.entries(hostile)) {
    it(`takes comparisons in proportion to the text: ${kind}`, () => {
      for (const text of texts) {
        const index = indexOf(range(30).map(secretOf));
        index.find(text);
        assert.ok(index.comparisons() <= most * text.length, `${index.comparisons()} for ${text.length} characters`);
      }
    });
  }
});
