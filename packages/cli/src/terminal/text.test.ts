import assert from 'node:assert/strict';
import { it } from 'node:test';
import { shown, toJson } from './text.ts';

const untrusted = 'a\u009b2J\u0085\u007f\u202e\u2028b\n';

it('text of others cannot control the terminal', () => {
  assert.equal(shown(untrusted), 'a?2J????b?');
});

it('JSON has no raw control characters, and means the same', () => {
  const written = toJson({ title: untrusted });
  assert.match(written, /^[\x20-\x7e]+$/);
  assert.ok(written.includes('\\u009b2J\\u0085\\u007f\\u202e\\u2028b\\n'));
  assert.deepEqual(JSON.parse(written), { title: untrusted });
});
