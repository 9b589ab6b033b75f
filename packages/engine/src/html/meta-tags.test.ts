import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { metaTagsOf, readMetaTags } from './meta-tags.ts';

describe('the meta tags of a page', () => {
  it('are read from the head, where tags after its end are told apart', () => {
    const page = '<head><meta name="a" content="1"></head><meta name="a" content="2"><body><meta name="a" content="3">';
    assert.deepEqual(readMetaTags(page, 'a'), ['1']);
    assert.deepEqual(
      metaTagsOf(page).map((tag) => tag.get('content')),
      ['1', '2'],
    );
  });

  it('are read from a page of any nesting in linear time', () => {
    const page = `<meta name="a" content="1">${'<span>'.repeat(300_000)}${'</x>'.repeat(300_000)}`;
    const startedAt = performance.now();
    assert.deepEqual(readMetaTags(page, 'a'), ['1']);
    const took = performance.now() - startedAt;
    assert.ok(took < 2_000, `${Math.round(took)} ms`);
  });
});
