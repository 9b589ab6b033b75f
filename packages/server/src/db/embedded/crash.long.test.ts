import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import pg from 'pg';
import { clientSettings } from '../database.ts';
import { findPostmaster } from './postmaster.ts';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './start.ts';

let folder: TestFolder;
let children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await createTestFolder();
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  await folder.remove();
});

function start(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ directory: folder.data, systemFolder: folder.system });
}

/** Runs the first steps of a server. Like a server, it stops the database on SIGTERM and when its start is refused. */
function spawnServer(): ChildProcess {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, 'start.ts'))};
    import { takeServerLock } from ${JSON.stringify(join(import.meta.dirname, '../server-lock.ts'))};
    const [directory, systemFolder] = process.argv.slice(1);
    const postgres = await startEmbeddedPostgres({ directory, systemFolder });
    try {
      const lock = await takeServerLock(postgres.connection, 'server');
      process.on('SIGTERM', () => lock.release().then(postgres.stop).then(() => process.exit(0)));
      setInterval(() => undefined, 1_000);
      console.log('ready');
    } catch (error) {
      await postgres.stop();
      console.log(error.message);
      process.exit(1);
    }`;
  const parameters = ['--input-type=module', '--eval', script, folder.data, folder.system];
  const child = spawn(process.execPath, parameters, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child.stdout, 'end')]);
  return String(line).trim();
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function write(number: number): Promise<void> {
  await query(`create table if not exists note (number integer); insert into note values (${number})`);
}

async function readNumbers(): Promise<number[]> {
  const rows = await query('select number from note order by number');
  return rows.map(({ number }) => number);
}

async function query(text: string): Promise<{ number: number }[]> {
  const connection = await findEmbeddedPostgres(folder.data);
  assert.ok(connection);
  const client = new pg.Client(clientSettings(connection));
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('after kill -9 of the server the next one uses the database that lives on, and can stop it', async () => {
  const server = spawnServer();
  assert.equal(await firstLine(server), 'ready');
  await write(1);
  const pid = await findPostmaster(join(folder.data, 'database/cluster'));
  await kill(server);
  const next = await start();
  assert.equal(next.isAttached, true);
  assert.equal(await findPostmaster(join(folder.data, 'database/cluster')), pid);
  assert.deepEqual(await readNumbers(), [1]);
  await next.stop();
  assert.equal(await findPostmaster(join(folder.data, 'database/cluster')), undefined);
});

test('after kill -9 of server and database the next start recovers what was committed', async () => {
  const server = spawnServer();
  assert.equal(await firstLine(server), 'ready');
  await write(1);
  const pid = await findPostmaster(join(folder.data, 'database/cluster'));
  assert.ok(pid);
  await kill(server);
  process.kill(pid, 'SIGKILL');
  const next = await start();
  assert.ok(existsSync(join(folder.data, 'database/cluster/postmaster.pid')));
  assert.deepEqual(await readNumbers(), [1]);
  await next.stop();
});

test("a terminal's interrupt of the server's process group does not reach the database", async () => {
  const server = spawnServer();
  assert.equal(await firstLine(server), 'ready');
  assert.ok(server.pid);
  process.kill(-server.pid, 'SIGINT');
  await once(server, 'exit');
  await write(1);
  assert.deepEqual(await readNumbers(), [1]);
});

test('a second server is refused and leaves the database of the first alone', async () => {
  const first = spawnServer();
  assert.equal(await firstLine(first), 'ready');
  const second = spawnServer();
  assert.match(await firstLine(second), new RegExp(`process ${first.pid}\\) already runs`));
  await once(second, 'exit');
  await write(1);
  first.kill('SIGTERM');
  await once(first, 'exit');
  assert.equal(await findEmbeddedPostgres(folder.data), undefined);
});

test('of two first starts at the same moment one wins and the other is refused', async () => {
  const servers = [spawnServer(), spawnServer()];
  const lines = await Promise.all(servers.map(firstLine));
  assert.equal(lines.filter((line) => line === 'ready').length, 1, lines.join('\n'));
  assert.equal(lines.filter((line) => /already runs on this data folder/.test(line)).length, 1, lines.join('\n'));
  await write(1);
});

test('an initdb that was killed half-way does not hinder the next start', async () => {
  let interrupted = 0;
  for (const afterMs of [20, 150, 350]) {
    const server = spawnServer();
    while ((await findUnfinished()).length <= interrupted) await sleep(5);
    await sleep(afterMs);
    assert.ok(server.pid);
    process.kill(-server.pid, 'SIGKILL');
    await once(server, 'exit');
    interrupted++;
    assert.equal(existsSync(join(folder.data, 'database/cluster')), false, 'initdb was not interrupted');
  }
  const next = await start();
  await write(1);
  assert.deepEqual(await readNumbers(), [1]);
  assert.deepEqual(await findUnfinished(), []);
  await next.stop();
});

async function findUnfinished(): Promise<string[]> {
  const names = await readdir(join(folder.data, 'database')).catch(() => []);
  return names.filter((name) => name.startsWith('initdb-'));
}
