import { readdir, stat, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDashboard } from '@sortie/web';
import pg from 'pg';
import { type ConnectionSettings, openDatabase } from '../../../server/src/db/database.ts';
import { readDatabaseFile } from '../../../server/src/db/embedded/database-file.ts';
import { placesOf } from '../../../server/src/db/embedded/places.ts';
import { findPostmaster } from '../../../server/src/db/embedded/postmaster.ts';
import { startEmbeddedPostgres } from '../../../server/src/db/embedded/start.ts';
import { claimEnvironment } from '../../../server/src/db/environment.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { bundleDependencies } from '../loading/bundle-dependencies.ts';
import { cpuSecondsOf } from '../runner/cpu-time.ts';
import { createTestFolder, openTestFolder, type TestFolder } from '../server/data-folder.ts';
import { TEST_CLUSTER_VARIABLE, type TestCluster } from './test-cluster.ts';

const FOLDER_PREFIX = 'sortie-test-cluster-';
const TEMPLATE = 'sortie_template';
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // The databases are dropped long before they need it.
  autovacuum: 'off',
  max_connections: '400',
  // Clients compute the hash of the password at each connection.
  scram_iterations: '1',
};

let folder: TestFolder | undefined;
/** Apart from the data, because programs may not be executed from a file system in memory. */
let programs: TestFolder | undefined;

/** Compile cache, because test files and their child processes load the same code many times. */
const compiledCode = join(import.meta.dirname, '../../../../node_modules/.cache/sortie-tests');

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= compiledCode;
  await removeAbandonedClusters();
  await bundleDependencies().catch(unlessUnwritable);
  // Here, so that servers of several test files do not all build it.
  await buildDashboard();
  const prefix = `${FOLDER_PREFIX}${process.pid}-`;
  folder = await createTestFolder('data', prefix, await findParent());
  programs = await createTestFolder('data', prefix);
  const options = { directory: folder.data, systemFolder: programs.system, settings };
  const { connection } = await startEmbeddedPostgres(options);
  await hashPasswordAnew(connection);
  await createTemplate(connection);
  const cluster: TestCluster = { connection, template: TEMPLATE };
  process.env[TEST_CLUSTER_VARIABLE] = JSON.stringify(cluster);
}

/** Without bundles, tests are only slower. */
function unlessUnwritable(error: NodeJS.ErrnoException): void {
  if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code ?? '')) throw error;
}

export async function globalTeardown(): Promise<void> {
  await folder?.remove();
  await programs?.remove();
}

/** A file system in memory, where there is one with room: a test copies and removes some hundreds of small files. */
const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

async function findParent(): Promise<string> {
  const found = await statfs(IN_MEMORY).catch(() => undefined);
  const hasRoom = found !== undefined && found.bavail * found.bsize >= ROOM_BYTES && freemem() >= 2 * ROOM_BYTES;
  return hasRoom ? IN_MEMORY : tmpdir();
}

/** Resolves to the CPU time of the test database so far. */
export async function databaseCpuSeconds(): Promise<number> {
  const file = folder && (await readDatabaseFile(folder.data));
  const postmaster = file && folder && (await findPostmaster(placesOf(folder.data, file).clusterFolder));
  return postmaster ? cpuSecondsOf(postmaster) : 0;
}

/** Initialization has hashed the password with the default number of iterations. */
function hashPasswordAnew(server: ConnectionSettings): Promise<void> {
  return run(
    server,
    `alter role ${pg.escapeIdentifier(server.user ?? '')} password ${pg.escapeLiteral(server.password ?? '')}`,
  );
}

async function createTemplate(server: ConnectionSettings): Promise<void> {
  await run(server, `create database ${TEMPLATE}`);
  const connection = { ...server, database: TEMPLATE };
  await migrate(connection);
  const database = openDatabase(connection, { connections: 1 });
  await claimEnvironment(database, 'test');
  await database.close();
  // A template with open connections cannot be cloned.
  await run(server, `alter database ${TEMPLATE} allow_connections false`);
}

async function run(connection: ConnectionSettings, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** A killed test run leaves its database running; the folder name contains the process id of that run. */
async function removeAbandonedClusters(): Promise<void> {
  for (const parent of [IN_MEMORY, tmpdir()]) await removeAbandonedIn(parent);
}

async function removeAbandonedIn(parent: string): Promise<void> {
  // Not every system has the one in memory.
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(FOLDER_PREFIX));
  for (const name of names) {
    const abandoned = join(parent, name);
    // Another test run may be removing it at the same time.
    const found = await stat(abandoned).catch(() => undefined);
    const pid = Number.parseInt(name.slice(FOLDER_PREFIX.length), 10);
    if (found?.uid === process.getuid?.() && !isAlive(pid)) await openTestFolder(abandoned).remove();
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
