import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createShowTime } from './show-time.ts';

const now = Date.parse('2026-11-17T12:00:00.000Z');
const before = (seconds: number) => new Date(now - seconds * 1000).toISOString();

describe('times', () => {
  it('are told from now, in the largest unit that fits', () => {
    const show = createShowTime(false, now);
    const told = [0, 59, 61, 3_600, 90_000, 200_000, 40 * 86_400, 800 * 86_400].map((seconds) => show(before(seconds)));
    assert.deepEqual(told, [
      'now',
      '59 seconds ago',
      '1 minute ago',
      '1 hour ago',
      'yesterday',
      '2 days ago',
      'last month',
      '2 years ago',
    ]);
    assert.equal(show(before(-7_300)), 'in 2 hours');
  });

  it('stay as the API writes them with --utc, and where they are none', () => {
    assert.equal(createShowTime(true, now)(before(61)), before(61));
    assert.equal(createShowTime(false, now)(null), null);
    assert.equal(createShowTime(false, now)('soon'), 'soon');
  });
});
