import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inMixedCase, SPACES, withNestedWords, withSpaces } from './rewritings.ts';

describe('the rewritings of statements', () => {
  it('mix the case of words and leave everything else', () => {
    assert.equal(inMixedCase("' AND 7=7"), "' aNd 7=7");
  });

  it('leave the word where a filter removes it once', () => {
    const nested = withNestedWords("' and 7=7");
    assert.equal(nested, "' aandnd 7=7");
    assert.equal(nested.replace('and', ''), "' and 7=7");
  });

  it('replace every space by another one', () => {
    assert.equal(withSpaces('expr 6 7', 'shell'), ['expr', '6', '7'].join(SPACES.shell));
    assert.equal(withSpaces('a b', 'comment'), 'a/**/b');
  });
});
