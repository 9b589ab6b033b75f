import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { errors } from 'undici';
import { ConnectFailure, failureOf, GONE, LONG_HEADERS, NO_HTTP } from './failure.ts';

const withCode = (code: string) => Object.assign(new Error('It was so'), { code });

describe('an error of a connection', () => {
  it("is the target's when the connection broke or its answer cannot be read", () => {
    assert.deepEqual(failureOf(withCode('ECONNRESET'), false), GONE);
    assert.deepEqual(failureOf(new errors.SocketError('other side closed'), false), GONE);
    for (const unreadable of [
      Object.assign(new errors.HTTPParserError('Expected HTTP'), { code: 'HPE_INVALID_CONSTANT' }),
      new errors.HTTPParserError('bad response'),
      new errors.ResponseContentLengthMismatchError(),
      new errors.InformationalError('bad upgrade'),
      withCode('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'),
      withCode('EPROTO'),
    ]) {
      assert.deepEqual(failureOf(unreadable, true), NO_HTTP, unreadable.message);
    }
    assert.deepEqual(failureOf(new errors.HeadersOverflowError(), false), LONG_HEADERS);
    assert.equal(failureOf(new ConnectFailure('TLS', 'The TLS connection failed'), false).code, 'TLS');
  });

  it("is never told as the target's when it is our own", async () => {
    const unreadable = await access('/proc/self/nothing').catch((error: unknown) => error);
    const own = [unreadable, new TypeError('x is not a function'), withCode('EACCES'), withCode('MODULE_NOT_FOUND')];
    for (const error of own) assert.throws(() => failureOf(error, false), error as Error);
  });
});
