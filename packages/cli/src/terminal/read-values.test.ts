import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCiFacts } from '../settings/ci-facts.ts';
import { clockText, durationText, readDuration } from './duration.ts';

const DAY_MS = 86_400_000;

describe('a duration', () => {
  it('is a number with a unit, or seconds', () => {
    const read = (text: string) => readDuration('--max-wait', text, DAY_MS);
    assert.deepEqual(['90', '90s', '45m', '6h', '1d', '250ms'].map(read), [
      90_000,
      90_000,
      2_700_000,
      21_600_000,
      DAY_MS,
      250,
    ]);
    for (const text of ['', 'soon', '-1s', '1.5h', '25h', '1 h', '2d']) {
      assert.throws(() => read(text), { message: /^--max-wait must be a duration such as .*, at most 24h: / }, text);
    }
  });

  it('is written as people read it', () => {
    assert.deepEqual([250, 12_000, 60_000, 3_725_000].map(durationText), ['250ms', '12s', '1m', '1h 2m']);
    assert.deepEqual([9_000, 750_000, 3_723_000].map(clockText), ['0:09', '12:30', '1:02:03']);
  });
});

describe('what a pipeline says of itself', () => {
  it('is read for each system, and nothing where a part is missing', () => {
    const gitlab = { CI_PROJECT_PATH: 'a/b', CI_JOB_NAME: 'gate', CI_COMMIT_SHA: 'c0ffee' };
    assert.deepEqual(readCiFacts(gitlab), {
      provider: 'gitlab',
      repository: 'a/b',
      workflow: 'gate',
      commit: 'c0ffee',
    });
    assert.equal(readCiFacts({ GIT_URL: 'u', JOB_NAME: 'j', GIT_COMMIT: 'c' })?.provider, 'jenkins');
    assert.equal(readCiFacts({ ...gitlab, CI_COMMIT_SHA: '' }), undefined);
  });
});
