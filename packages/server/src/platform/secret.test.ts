import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, inspect } from 'node:util';
import { createSecret } from './secret.ts';

test('a secret prints as [secret] however it is printed, and only reveal() gives it away', () => {
  const secret = createSecret('hunter2');
  assert.equal(secret.reveal(), 'hunter2');
  for (const printed of [
    `${secret}`,
    String(secret),
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ nested: { secret } }, { depth: 10, showHidden: true }),
    format('%s %o %O %j', secret, secret, secret, secret),
    JSON.stringify(Object.entries(secret)),
  ]) {
    assert.doesNotMatch(printed, /hunter2/);
  }
  assert.equal(JSON.stringify({ secret }), '{"secret":"[secret]"}');
});
