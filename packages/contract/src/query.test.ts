import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

/** Returns the parsed query, or the names of the invalid parameters. */
function read(endpoint: Endpoint, query: Record<string, unknown>): unknown {
  const { data, error } = z.object(endpoint.query).safeParse(query);
  return error ? error.issues.map((issue) => issue.path.join('.')) : data;
}

const paged = Object.entries<Endpoint>(endpoints).filter(([, { query }]) => 'limit' in query);

describe('a page', () => {
  it('can be asked for on every list', () => {
    assert.deepEqual(
      paged.map(([name]) => name),
      ['getCreditsUsage', 'listScans', 'listScanFindings', 'listPentests', 'listPentestFindings', 'listTargets'],
    );
  });

  for (const [name, endpoint] of paged) {
    it(`of ${name} is the first twenty records when nothing is said`, () => {
      assert.deepEqual(read(endpoint, {}), { limit: 20, offset: 0 });
    });

    it(`of ${name} has 1 to 100 records and starts at 0 or anywhere after it`, () => {
      assert.deepEqual(read(endpoint, { limit: '1', offset: '0' }), { limit: 1, offset: 0 });
      assert.deepEqual(read(endpoint, { limit: '100', offset: '10001' }), { limit: 100, offset: 10_001 });
      const largest = Number.MAX_SAFE_INTEGER;
      assert.deepEqual(read(endpoint, { offset: String(largest) }), { limit: 20, offset: largest });
    });

    for (const limit of ['0', '101', '-1', '1.5', '1e1', ' 1', '', 'all', '٣', '99999999999', ['1', '2'], null]) {
      it(`of ${name} cannot have the limit ${JSON.stringify(limit)}`, () => {
        assert.deepEqual(read(endpoint, { limit }), ['limit']);
      });
    }

    for (const offset of ['-1', '9007199254740992', '0x10', '', '1,000']) {
      it(`of ${name} cannot have the offset ${JSON.stringify(offset)}`, () => {
        assert.deepEqual(read(endpoint, { offset }), ['offset']);
      });
    }
  }

  it('ignores parameters it does not know', () => {
    assert.deepEqual(read(endpoints.listPentests, { colour: 'red' }), { limit: 20, offset: 0 });
  });
});

describe('the severities of findings', () => {
  for (const endpoint of [endpoints.listScanFindings, endpoints.listPentestFindings]) {
    it(`at ${endpoint.path} are written in lowercase, separated by commas`, () => {
      const expected = { severity: ['CRITICAL', 'HIGH'], limit: 20, offset: 0 };
      assert.deepEqual(read(endpoint, { severity: 'critical,high' }), expected);
      assert.deepEqual(read(endpoint, { severity: 'critical,high,critical' }), expected);
    });

    for (const severity of [
      'HIGH',
      'high,',
      ',high',
      'high, low',
      'high;low',
      '',
      'severe',
      'high,severe',
      ['high', 'low'],
    ]) {
      it(`at ${endpoint.path} are not ${JSON.stringify(severity)}`, () => {
        assert.deepEqual(read(endpoint, { severity }), ['severity']);
      });
    }
  }
});

describe('the statuses of pentests', () => {
  it('are written as in answers, separated by commas', () => {
    const expected = { status: ['QUEUED', 'PAUSED'], limit: 20, offset: 0 };
    assert.deepEqual(read(endpoints.listPentests, { status: 'QUEUED,PAUSED' }), expected);
  });

  for (const status of ['queued', 'QUEUED,', 'RUNNING', '', 'QUEUED COMPLETED']) {
    it(`are not ${JSON.stringify(status)}`, () => {
      assert.deepEqual(read(endpoints.listPentests, { status }), ['status']);
    });
  }
});

describe('the time span of a usage list', () => {
  const from = (text: unknown) =>
    (read(endpoints.getCreditsUsage, { from: text }) as { from?: Date }).from?.toISOString();

  it('starts and ends at a date and time', () => {
    assert.equal(from('2026-03-01T12:30:00Z'), '2026-03-01T12:30:00.000Z');
    assert.equal(from('2026-03-01T12:30:00.250Z'), '2026-03-01T12:30:00.250Z');
  });

  it('may be written without seconds', () => {
    assert.equal(from('2026-03-01T12:30Z'), '2026-03-01T12:30:00.000Z');
    assert.equal(from('2026-03-01T00:30+02:00'), '2026-02-28T22:30:00.000Z');
  });

  it('may be written in another time zone', () => {
    assert.equal(from('2026-03-01T00:30:00+02:00'), '2026-02-28T22:30:00.000Z');
  });

  it('may start at a date, which means its first moment in UTC', () => {
    assert.equal(from('2026-03-01'), '2026-03-01T00:00:00.000Z');
  });

  for (const text of [
    '2026-02-30',
    '2026-03-01T25:00:00Z',
    '2026-03-01T12:30:00',
    '2026-03-01T12:30',
    '2026-02-30T12:30Z',
    '2026-03-01T12Z',
    '2026-03-01 12:30',
    '1772366400',
    'now',
    '',
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => {
      assert.deepEqual(read(endpoints.getCreditsUsage, { from: text }), ['from']);
      assert.deepEqual(read(endpoints.getCreditsUsage, { to: text }), ['to']);
    });
  }

  it('is refused when the + of a time zone arrives as a space', () => {
    assert.deepEqual(read(endpoints.getCreditsUsage, { to: '2026-03-01T00:30:00 02:00' }), ['to']);
  });
});

describe('the filters of a usage list', () => {
  it('take any id, since an unknown one only gives an empty list', () => {
    const query = { apiKeyId: 'no such key', pentestId: '' };
    assert.deepEqual(read(endpoints.getCreditsUsage, query), { ...query, limit: 20, offset: 0 });
  });
});
