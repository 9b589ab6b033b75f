import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { createTokenIndex } from './token-index.ts';

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
const range = (length: number) => Array.from({ length }, (_, number) => number);

/** What the tokens of one target typically have in common. */
const usual: Record<string, (number: number) => string> = {
  'random tokens': (number) => digest(`${number}`),
  'JWTs with one header': (number) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${number}.${digest(`${number}`)}`,
  'encoded lists': (number) => `user%3D${number}%26role%3Dcustomer%26signature%3D${digest(`${number}`).slice(0, 12)}`,
};
/** Built to maximize the cost of a search. */
const hostile: Record<string, (number: number) => string> = {
  'tokens of every length': (number) => `session-identifier.${'a.'.repeat(number % 400)}`,
  'tokens within each other': (number) =>
    range(number % 200)
      .join('-')
      .padStart(10, 'x'),
};

function indexOf(tokens: readonly string[]) {
  const index = createTokenIndex();
  for (const token of tokens) index.add(token);
  return index;
}

const pageOf = (tokens: readonly string[]) => tokens.map((token) => `<td>${token}</td>`).join('\n');

describe('a token index', () => {
  for (const [kind, tokenOf] of Object.entries(usual)) {
    it(`takes the same lookups however many tokens it holds: ${kind}`, () => {
      const page = pageOf(range(100).map(tokenOf));
      const [few, many] = [100, 5_000].map((count) => {
        const index = indexOf(range(count).map(tokenOf));
        assert.equal(index.find(page).length, 100);
        return index.lookups();
      });
      assert.ok(few && many && many <= 1.5 * few, `${few} and ${many}`);
    });
  }

  for (const [kind, tokenOf] of Object.entries({ ...usual, ...hostile })) {
    it(`takes lookups in proportion to the text: ${kind}`, () => {
      const tokens = range(isFull ? 2_000 : 300).map(tokenOf);
      for (const count of isFull ? [250, 1_000] : [40, 150]) {
        const page = pageOf(tokens.slice(0, count));
        const index = indexOf(tokens);
        assert.ok(index.find(page).length > 0);
        // For each word of a page, which is decoded at most three times.
        const words = page.match(/[A-Za-z0-9]+/g)?.length ?? 0;
        assert.ok(index.lookups() <= 4 * 66 * words, `${index.lookups()} lookups for ${words} words`);
      }
    });

    it(`shows no token: ${kind}`, () => {
      const tokens = range(isFull ? 500 : 100)
        .map(tokenOf)
        .filter((token) => token.length >= 8);
      const index = indexOf(tokens);
      for (const token of tokens) {
        const masked = index.find(token).reduce((sum, { start, end }) => sum + end - start, 0);
        assert.ok(masked >= token.replaceAll(/[^A-Za-z0-9]|\b\w{1,3}\b/g, '').length, token);
      }
    });
  }
});
