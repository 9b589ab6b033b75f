import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitText } from './split-text.ts';

const shown = (text: string, ...spans: [number, number][]) =>
  splitText(
    text,
    spans.map(([start, end]) => ({ start, end })),
  ).map(({ part, isMarked }) => (isMarked ? `[${part}]` : part));

describe('the parts of a message', () => {
  it('are marked at the spans, in UTF-16 code units', () => {
    assert.deepEqual(shown('a😀proof!', [3, 8]), ['a😀', '[proof]', '!']);
    assert.deepEqual(shown('abc', [0, 1], [2, 3]), ['[a]', 'b', '[c]']);
  });

  it('keep the whole text when spans do not fit it', () => {
    for (const span of [
      [2, 9],
      [-1, 2],
      [2, 2],
      [3, 1],
    ] as [number, number][]) {
      assert.equal(shown('abcd', span).join('').replace(/[[\]]/g, ''), 'abcd');
    }
    assert.deepEqual(shown('abcd', [0, 3], [2, 4]), ['[abc]', 'd']);
  });
});
