import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainToolFailure } from '../commands/mcp/explain-tool-failure.ts';
import { explainFailure, isFailure } from './explain-failure.ts';

interface Facts {
  name: string;
  code?: string;
  statusCode?: number;
  hasErrorObject?: boolean;
  idempotencyKey?: string | null;
  field?: string;
  mayHaveArrived?: boolean;
}

function failure(facts: Facts) {
  const error = Object.assign(new Error('It did not work.'), facts);
  assert.ok(isFailure(error));
  return error;
}

const refused = (statusCode: number, code: string) => ({ name: 'ApiError', statusCode, code, hasErrorObject: true });
const documentOf = (facts: Facts) =>
  explainFailure(failure(facts), 'It was not started').document as Record<string, string>;

describe('the hint after a start that did not work', () => {
  for (const [name, facts] of Object.entries({
    'no answer': { name: 'TransportError' },
    'an answer of something on the way': { name: 'ApiError', statusCode: 403, code: 'HTTP_403', hasErrorObject: false },
    'a failure of the service': refused(500, 'INTERNAL_ERROR'),
    'a start that is in progress': refused(409, 'IDEMPOTENCY_IN_PROGRESS'),
    'too many requests': refused(429, 'RATE_LIMITED'),
  })) {
    it(`names the key after ${name}, because it may have started`, () => {
      const { hint, idempotencyKey } = documentOf({ ...facts, idempotencyKey: 'key-1' });
      assert.match(String(hint), / add --idempotency-key key-1 to avoid starting it twice\.$/);
      assert.equal(idempotencyKey, 'key-1');
      assert.doesNotMatch(String(documentOf({ ...facts, idempotencyKey: null }).hint), /idempotency-key/);
    });
  }

  it('names the field that the service does not accept, where it says which', () => {
    const wrong = { ...refused(400, 'VALIDATION_ERROR'), field: 'targetUrl' };
    assert.equal(documentOf(wrong).hint, 'Correct targetUrl.');
    assert.match(
      String(documentOf(refused(400, 'VALIDATION_ERROR')).hint),
      /^Correct the value that the message names\.$/,
    );
  });

  for (const [name, facts] of Object.entries({
    'the service has refused': refused(402, 'INSUFFICIENT_CREDITS'),
    'nobody was there to start it': { name: 'TransportError', mayHaveArrived: false },
  })) {
    it(`does not name it when ${name}`, () => {
      assert.doesNotMatch(String(documentOf({ ...facts, idempotencyKey: 'key-1' }).hint), /key-1|may have started/);
    });
  }

  it('does not name a flag to an assistant, which has none', () => {
    for (const code of ['INTERNAL_ERROR', 'HTTP_502']) {
      const error = failure({ name: 'ApiError', statusCode: 502, code, idempotencyKey: 'key-1' });
      assert.doesNotMatch(
        explainToolFailure(error, 'It was not started', (text) => text),
        /key-1/,
      );
    }
  });
});
