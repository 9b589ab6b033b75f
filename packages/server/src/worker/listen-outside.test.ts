import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { closedPort } from '@sortie/testing/real-runs/real-run.ts';
import { createOutside } from '../../../engine/src/oracle/outside.ts';
import { StartupError } from '../errors/startup-error.ts';
import { findCalls, findOutside, listenerKeyOf } from '../outside/outside.ts';
import type { Log, LogFields } from '../platform/log.ts';
import { toServiceKey } from '../secrets/service-key.ts';
import { listenOutside } from './listen-outside.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const key = listenerKeyOf(toServiceKey(Buffer.alloc(32, 9)));

function start(port: number) {
  const lines: string[] = [];
  const write = (message: string, fields: LogFields = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const http = { host: '127.0.0.1', port };
  const listener = { url: `http://127.0.0.1:${port}`, zone: null, http, dns: null };
  return { lines, listening: listenOutside({ database: test.database, listener, key, log }) };
}

describe('a worker that listens', () => {
  it('writes down who has called by which name before it answers, and says nothing of it in the log', async () => {
    const { queries } = test.database;
    const { lines, listening } = start(await closedPort());
    const { stop } = await listening;
    const order = await findOutside(queries, key, 'pen_1');
    assert.ok(order);
    const outside = createOutside(order, (labels) => findCalls(queries, order, labels));
    assert.equal(await (await fetch(outside.urlFor('one'))).text(), `${outside.answerTo('one')}\n`);
    const heard = await outside.heard(['one', 'two']);
    assert.deepEqual(
      [...heard].map(([tag, calls]) => [tag, calls.map(({ kind, from }) => `${kind} ${from}`)]),
      [
        ['one', ['http 127.0.0.1']],
        ['two', []],
      ],
    );
    await stop();
    assert.equal(await findOutside(queries, key, 'pen_1'), null);
    assert.deepEqual(lines, []);
  });

  it('answers all the same when a call cannot be kept, and says only that', async () => {
    const { queries } = test.database;
    const { lines, listening } = start(await closedPort());
    const { stop } = await listening;
    const order = await findOutside(queries, key, 'pen_2');
    assert.ok(order);
    const outside = createOutside(order, async () => []);
    await test.database.pool.query('alter table outside_call rename to elsewhere');
    const { status } = await fetch(outside.urlFor('one'));
    await test.database.pool.query('alter table elsewhere rename to outside_call');
    await stop();
    assert.equal(status, 200);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^a callback could not be stored /);
    assert.doesNotMatch(lines[0] ?? '', new RegExp(order.run));
  });

  it('does not start where somebody else listens, and says what to change', async () => {
    const port = await closedPort();
    const { stop } = await start(port).listening;
    await assert.rejects(
      start(port).listening,
      (error: unknown) => error instanceof StartupError && /EADDRINUSE.*SORTIE_LISTENER_HTTP/.test(error.message),
    );
    await stop();
  });
});
