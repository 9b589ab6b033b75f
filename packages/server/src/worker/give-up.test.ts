import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasNoAttemptLeft } from './give-up.ts';

/** `attempts` includes the attempt that is about to begin. */
const cases = [
  { attempts: 1, deaths: 0, expected: false },
  { attempts: 5, deaths: 4, expected: false },
  { attempts: 6, deaths: 5, expected: true },
  { attempts: 5, deaths: 0, expected: false },
  { attempts: 6, deaths: 0, expected: true },
  { attempts: 9, deaths: 4, expected: false },
  { attempts: 10, deaths: 4, expected: true },
];

describe('a run has no attempt left', () => {
  for (const { expected, ...attempted } of cases) {
    const { attempts, deaths } = attempted;
    it(`${expected ? '' : 'not '}after ${deaths} deaths and ${attempts - 1 - deaths} lost attempts`, () => {
      assert.equal(hasNoAttemptLeft(attempted), expected);
    });
  }
});
