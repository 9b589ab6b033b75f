import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeReferences } from './character-references.ts';

describe('character references', () => {
  it('are decoded once, by name and by number', () => {
    assert.equal(decodeReferences('&lt;a href=&quot;x&quot;&gt; &apos;&#39;&#0039;&#x27;&#X27;'), `<a href="x"> '''''`);
    assert.equal(decodeReferences('&amp;lt; &#38;amp;'), '&lt; &amp;');
    assert.equal(decodeReferences('&#128512;&#x1F600;'), '\u{1f600}\u{1f600}');
  });

  it('stay as they are if nothing defines them', () => {
    for (const text of ['&own;', '&#9999999;', '&#x110000;', '&lt', 'a & b', '&#;'])
      assert.equal(decodeReferences(text), text);
  });
});
