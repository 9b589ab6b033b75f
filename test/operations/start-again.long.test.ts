import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import {
  accountOf,
  assertRefused,
  assertStopped,
  grantOneCredit,
  readBalance,
  STOP_WITHIN_MS,
} from '@sortie/testing/server/first-start.ts';
import {
  endGroup,
  killLeftovers,
  postmasterOf,
  quietFlags,
  startUp,
  type Up,
  waitFor,
} from '@sortie/testing/server/up.ts';

let folder: TestFolder;

beforeEach(async () => {
  folder = await createTestFolder();
});

afterEach(async () => {
  killLeftovers();
  await folder.remove();
});

after(killLeftovers);

const up = (...flags: string[]): Up => startUp({ flags: quietFlags(folder.data, ...flags) });

/** How far a start on a fresh folder has come, in this order. */
const stages = {
  'a password': () => existsSync(path.join(folder.data, 'database.json')),
  'an unfinished database': async () => {
    const names = await readdir(path.join(folder.data, 'database')).catch(() => []);
    return names.some((name) => name.startsWith('initdb-'));
  },
  'a running database': async () => (await postmasterOf(folder.data).catch(() => undefined)) !== undefined,
};

describe('a second server on the same data folder', () => {
  it('is refused, and the first goes on', async () => {
    const first = up();
    const ready = await first.ready();
    const second = up();
    await assertRefused(second, new RegExp(`Another server \\(process ${first.child.pid}\\) already runs`));
    assert.match(second.stderr(), /npm start -- --data \.sortie2 --port 0 --range-port 0 --ops-port 0$/m);
    // Also when it asks for the same ports, which is the lesser reason.
    const [port = '', opsPort = ''] = [ready.baseUrl, ready.opsUrl].map((url) => new URL(url).port);
    await assertRefused(up('--port', port, '--ops-port', opsPort), /Another server .* already runs/);
    await readBalance(ready);
    await assertStopped(first, folder.data);
  });

  it('is refused when both start at the same moment on a fresh folder', async () => {
    const servers = [up(), up()];
    const hasEnded = ({ child }: Up) => child.exitCode !== null;
    await waitFor(() => servers.some(hasEnded), { what: 'one of them to be refused' });
    const [first, second] = servers.toSorted((a, b) => Number(hasEnded(a)) - Number(hasEnded(b)));
    assert.ok(first && second);
    await assertRefused(second, /Another server \(process \d+\) already runs on this data folder/);
    await readBalance(await first.ready());
    await assertStopped(first, folder.data);
  });
});

describe('after kill -9', () => {
  it('of the server, several times and also during the start, the next start works and nothing is lost', async () => {
    let granted = 0;
    for (const [name, isReached] of Object.entries(stages)) {
      const server = up();
      await waitFor(isReached, { what: `${name}: ${server.stderr()}` });
      await server.end('SIGKILL');
    }
    for (let round = 0; round < 2; round++) {
      const server = up();
      const ready = await server.ready();
      await grantOneCredit(ready, folder.data);
      granted++;
      await server.end('SIGKILL');
      assert.ok(await postmasterOf(folder.data), 'the database lives on');
    }
    const last = up();
    const { body } = await readBalance(await last.ready());
    assert.equal(body?.purchased, 20_000 + granted);
    await assertStopped(last, folder.data);
  });

  it('of server and database the next start recovers what was confirmed', async () => {
    const server = up();
    const ready = await server.ready();
    await grantOneCredit(ready, folder.data);
    const postmaster = await postmasterOf(folder.data);
    assert.ok(postmaster);
    process.kill(postmaster, 'SIGKILL');
    await server.end('SIGKILL');
    const next = up();
    const again = await next.ready();
    assert.deepEqual(accountOf(again), accountOf(ready));
    assert.equal((await readBalance(again)).body?.purchased, 20_001);
    await assertStopped(next, folder.data);
  });
});

describe('a signal', () => {
  it('sent by a terminal to the whole group, or to npm alone, ends everything started with npm start', async () => {
    for (const isTerminal of [true, false]) {
      const server = startUp({ flags: quietFlags(folder.data), isGroup: true, viaNpm: true });
      await readBalance(await server.ready());
      const { code, durationMs } = await (isTerminal ? endGroup(server, 'SIGINT') : server.end('SIGTERM'));
      assert.equal(code, 0, server.stderr());
      assert.ok(durationMs < STOP_WITHIN_MS);
      assert.match(server.stderr(), /"msg":"stopped"/);
      assert.equal(await postmasterOf(folder.data), undefined);
    }
  });

  it('sent to npx alone ends everything started with npx sortie up', async () => {
    const server = startUp({ flags: quietFlags(folder.data), isGroup: true, viaNpx: true });
    await readBalance(await server.ready());
    await server.end('SIGTERM');
    await waitFor(async () => (await postmasterOf(folder.data)) === undefined, { what: 'the end of the database' });
    await waitFor(() => server.stderr().includes('"msg":"stopped"'), { what: server.stderr() });
  });

  it('during the start leaves nothing running, whenever it comes', async () => {
    for (const name of ['an unfinished database', 'a running database'] as const) {
      const server = startUp({ flags: quietFlags(folder.data), isGroup: true });
      await waitFor(stages[name], { what: `${name}: ${server.stderr()}` });
      const { code } = await endGroup(server, 'SIGINT');
      assert.equal(code, 0, server.stderr());
      assert.equal(server.stdout(), '');
      assert.equal(await postmasterOf(folder.data), undefined);
    }
    const server = up();
    await readBalance(await server.ready());
    await assertStopped(server, folder.data);
  });
});
