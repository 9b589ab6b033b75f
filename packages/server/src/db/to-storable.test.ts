import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toStorable } from './to-storable.ts';

describe('untrusted JSON as it is stored', () => {
  it('has no character that PostgreSQL refuses, in keys and values', () => {
    assert.equal(toStorable({ 'a\0': ['b\0\ud800c', '\udc00'] }), '{"a\\ufffd":["b\\ufffd\\ufffdc","\\ufffd"]}');
  });

  it('keeps what only looks like one', () => {
    const document = { path: 'C:\\u0000', pair: '😀', text: '\\\\u0000' };
    assert.deepEqual(JSON.parse(toStorable(document)), document);
  });
});
