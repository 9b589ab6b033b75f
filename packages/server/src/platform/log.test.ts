import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createLog, describeError, type LogFields } from './log.ts';

function written(level: string, write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLog(level, { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line));
}

test('only fields of the list are written', () => {
  const fields = { requestId: 'a', status: 200, apiKey: 'canary', authorization: 'canary', body: { a: 'canary' } };
  const [line] = written('info', (log) => log.info('answered', fields as LogFields));
  const { time, ...rest } = line ?? {};
  assert.deepEqual(rest, { level: 'info', requestId: 'a', status: 200, msg: 'answered' });
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('lines below the level are not written', () => {
  const lines = written('warn', (log) => {
    log.debug('no');
    log.info('no');
    log.warn('yes');
    log.error('yes');
  });
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['yes', 'yes'],
  );
});

test('an error tells its class, its code and its place, never its message', () => {
  const error = Object.assign(new TypeError('canary'), { code: 'ERR_SOMETHING', detail: 'canary' });
  const described = describeError(error);
  assert.equal(described.errorName, 'TypeError');
  assert.equal(described.errorCode, 'ERR_SOMETHING');
  assert.match(String(described.errorAt), /^at .*log\.test\.ts:\d+:\d+/);
  assert.ok(!JSON.stringify(described).includes('canary'));
});

test('a message whose lines look like places is not taken for one', () => {
  const message = 'invalid input:\n    at canary (canary.ts:1:1)\n    at canary:2:2';
  const described = describeError(new Error(message));
  assert.match(String(described.errorAt), /log\.test\.ts/);
  const changed = new Error(message);
  changed.message = 'something else';
  assert.ok(!JSON.stringify([described, describeError(changed)]).includes('canary'));
});

test('the causes of an error are told as well, and what is no error only by its type', () => {
  const cause = Object.assign(new pg.DatabaseError('canary', 6, 'error'), { code: '23505' });
  const described = describeError(new Error('canary', { cause }));
  assert.equal(described.errorName, 'Error < DatabaseError');
  assert.equal(described.errorCode, '23505');
  assert.deepEqual(describeError('canary'), { errorName: 'string' });
});
