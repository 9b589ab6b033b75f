import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpoints } from '@sortie/contract';
import { AppError } from '../errors/app-error.ts';
import { validateBody, validateQuery } from './validate.ts';

function refusalOf(validate: () => unknown): string {
  try {
    validate();
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  return 'accepted';
}

const start = { targetUrl: 'https://example.test/', verificationId: 'ver_1' };
const account = { name: 'one', user: 'u', pass: 'p' };

describe('what a caller reads about a body', () => {
  const startWith = (...credentials: unknown[]) => ({ ...start, credentials });
  const messages: [unknown, string][] = [
    [{}, 'targetUrl is required'],
    [{ targetUrl: start.targetUrl }, 'verificationId is required'],
    [startWith({ user: 'u', pass: 'p' }), 'credentials[0].name is required'],
    [[], 'body: must be an object'],
    [{ ...start, verificationId: null }, 'verificationId: must be text'],
    [{ ...start, verificationId: '' }, 'verificationId: must not be empty'],
    [{ ...start, depth: 'EXTENDED' }, 'depth: must be one of: LEAD, STANDARD, DEEP'],
    [{ ...start, depth: null }, 'depth: must be one of: LEAD, STANDARD, DEEP'],
    [{ ...start, credentials: {} }, 'credentials: must be a list'],
    [startWith(...Array(11).fill(account)), 'credentials: must have at most 10 entries'],
    [startWith({ ...account, pass: 'x'.repeat(20_001) }), 'credentials[0].pass: must have at most 20,000 characters'],
    [startWith({ ...account, location: 'query' }), 'credentials[0].location: applies to API_KEY only'],
    [startWith(account, account), 'credentials[1].name: must be unique'],
    [{ ...start, surprise: 1 }, 'Unknown member.'],
  ];
  for (const [body, message] of messages) {
    it(message, () =>
      assert.equal(
        refusalOf(() => validateBody(endpoints.startPentest, body)),
        message,
      ),
    );
  }
});

describe('what a caller reads about a query', () => {
  const messages: [string, string][] = [
    ['limit=0', 'limit: must be a whole number from 1 to 100'],
    ['limit=101', 'limit: must be a whole number from 1 to 100'],
    ['limit=many', 'limit: must be a whole number from 1 to 100'],
    ['offset=-1', 'offset: must be a whole number from 0 to 9007199254740991'],
    ['from=now', 'from: must be an ISO 8601 date, or a date and time with its time zone'],
    ['limit=1&limit=1', 'limit: send it once.'],
  ];
  for (const [query, message] of messages) {
    it(`${query}: ${message}`, () => {
      const url = `/v1/credits/usage?${query}`;
      assert.equal(
        refusalOf(() => validateQuery(endpoints.getCreditsUsage, url)),
        message,
      );
    });
  }

  it('a list may be repeated, which equals its values separated by commas', () => {
    const read = (query: string) => validateQuery(endpoints.listPentestFindings, `/v1/pentests/x/findings?${query}`);
    assert.deepEqual(read('severity=high&severity=low'), read('severity=high,low'));
    assert.deepEqual(read('severity=high,info&limit=20&severity=low'), read('severity=high,info,low'));
    assert.equal(
      refusalOf(() => read('severity=high&severity=')),
      'severity: must be a comma-separated list of: critical, high, medium, low, info',
    );
  });
});
