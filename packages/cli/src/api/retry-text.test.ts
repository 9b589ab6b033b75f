import assert from 'node:assert/strict';
import { it } from 'node:test';
import { retryText } from './retry-text.ts';

it('what is told of a repetition is one sentence, however the service ends its own', () => {
  for (const end of ['.', '', '. ', '...']) {
    const told = retryText({ error: new Error(`Too many requests. Please retry${end}`), delayMs: 1_200 });
    assert.equal(told, 'Too many requests. Please retry; retrying in 2 s');
  }
});
