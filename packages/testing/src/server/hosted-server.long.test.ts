import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { call } from '../http/call.ts';
import { startHostedServer } from './hosted-server.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const start = (env: Record<string, string> = {}, flags = ['--no-demo']) =>
  startHostedServer({ databaseUrl: test.url, flags, env });

describe('servers of one process', () => {
  it('have their own settings, log and data folder, one after another', async () => {
    const first = await start({ SORTIE_LOG_LEVEL: 'error' });
    assert.equal((await call(`${first.baseUrl}/v1/credits/balance`)).status, 401);
    assert.equal(await first.stop(), 0);
    const second = await start({ SORTIE_LOG_LEVEL: 'debug' });
    assert.equal((await call(`${second.baseUrl}/v1/credits/balance`)).status, 401);
    assert.equal(await second.stop(), 0);
    assert.equal(second.child.pid, first.child.pid);
    const third = await start({ SORTIE_LOG_LEVEL: 'error' });
    await third.stop();
    assert.match(second.log(), /"msg":"ready"/);
    for (const silent of [first, third]) assert.doesNotMatch(silent.log(), /"msg"/);
    assert.notEqual(second.dataDir, first.dataDir);
    assert.ok(!existsSync(first.dataDir));
    await assert.rejects(call(`${first.baseUrl}/v1/credits/balance`));
  });

  it('have a process each while they run at the same time', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    assert.notEqual(one.child.pid, other.child.pid);
    await Promise.all([one.stop(), other.stop()]);
  });

  it('take their process along when they are killed', async () => {
    const killed = await start();
    assert.equal(await killed.stop('SIGKILL'), null);
    assert.equal(await killed.stop(), null);
    const next = await start();
    assert.notEqual(next.child.pid, killed.child.pid);
    await next.stop();
  });

  it('refuse to start with the same message as their command', async () => {
    await assert.rejects(start({ SORTIE_LOG_LEVEL: 'loud' }), /SORTIE_LOG_LEVEL/);
  });
});
