import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inMixedCase, SPACES, withinItself, withSpaces } from './rewritings.ts';

describe('the rewritings of statements', () => {
  it('mix the case of words and leave everything else', () => {
    assert.equal(inMixedCase("' AND 7=7"), "' aNd 7=7");
  });

  it('leave the word where a filter removes it once', () => {
    for (const text of ['and', '../', '<script>']) assert.equal(withinItself(text).replace(text, ''), text);
  });

  it('replace every space by another one', () => {
    assert.equal(withSpaces('expr 6 7', 'shell'), ['expr', '6', '7'].join(SPACES.shell));
    assert.equal(withSpaces('a b', 'comment'), 'a/**/b');
  });
});
