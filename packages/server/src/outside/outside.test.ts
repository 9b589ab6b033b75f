import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { advanceClock } from '../clock/clock.ts';
import { inTransaction } from '../db/database.ts';
import { toServiceKey } from '../secrets/service-key.ts';
import {
  announceListener,
  deleteOldCalls,
  findCalls,
  findOutside,
  listenerKeyOf,
  recordCall,
  withdrawListener,
} from './outside.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const key = listenerKeyOf(toServiceKey(Buffer.alloc(32, 7)));
const place = { url: 'http://192.0.2.1:8080', zone: 'calls.example' };
const run = { run: '0123456789ab' };
const label = (rest: string) => `${run.run}${rest}`;
const called = (name: string, detail = '') => ({ label: name, kind: 'http' as const, detail, from: '192.0.2.9' });

describe('where targets may call', () => {
  it('is nowhere until somebody listens, and when that has been silent for a minute', async () => {
    const { queries, pool } = test.database;
    const find = () => findOutside(queries, key, 'pen_1');
    assert.equal(await find(), null);
    await announceListener(queries, { ...place, zone: null });
    await announceListener(queries, place);
    const found = await find();
    assert.deepEqual([found?.url, found?.zone], [place.url, place.zone]);
    await pool.query(`update listener set seen_at = clock_timestamp() - interval '61 seconds'`);
    assert.equal(await find(), null);
    await announceListener(queries, place);
    assert.ok(await find());
    await withdrawListener(queries, place);
    assert.equal(await find(), null);
  });

  it('comes with the same names for each attempt at a run, and with others for other runs', async () => {
    const { queries } = test.database;
    await announceListener(queries, place);
    const one = await findOutside(queries, key, 'pen_1');
    assert.deepEqual(await findOutside(queries, key, 'pen_1'), one);
    const other = await findOutside(queries, key, 'pen_2');
    assert.notEqual(other?.run, one?.run);
    assert.notEqual(other?.key, one?.key);
    await withdrawListener(queries, place);
  });
});

describe('calls from outside', () => {
  it('are kept once each, and found by their names', async () => {
    const { queries } = test.database;
    await recordCall(queries, called(label('a')));
    await recordCall(queries, called(label('a')));
    await recordCall(queries, called(label('a'), '4711'));
    await recordCall(queries, called(label('b')));
    const found = await findCalls(queries, run, [label('a'), label('c')]);
    assert.deepEqual(
      found.map(({ at: _at, ...call }) => call),
      [called(label('a')), called(label('a'), '4711')],
    );
    assert.ok(found.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < 60_000));
    assert.deepEqual(await findCalls(queries, run, []), []);
  });

  it('of other runs are not told', async () => {
    const { queries } = test.database;
    await recordCall(queries, called('ffffffffffff-of-another'));
    assert.deepEqual(await findCalls(queries, run, ['ffffffffffff-of-another']), []);
  });

  it('are forgotten after a week', async () => {
    const { database } = test;
    await recordCall(database.queries, called(label('old')));
    const left = () => findCalls(database.queries, run, [label('old')]);
    await inTransaction(database, (tx) => advanceClock(tx, { seconds: 6 * 86_400, actor: 'test' }));
    await deleteOldCalls(database);
    assert.equal((await left()).length, 1);
    await inTransaction(database, (tx) => advanceClock(tx, { seconds: 86_400, actor: 'test' }));
    await deleteOldCalls(database);
    assert.deepEqual(await left(), []);
  });
});
