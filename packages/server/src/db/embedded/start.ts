import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartupError } from '../../errors/startup-error.ts';
import type { SystemUser } from '../../platform/run-as.ts';
import { type ConnectionSettings, clientSettings } from '../database.ts';
import { unlessAnotherServerRuns } from '../server-lock.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { boundLog, reasonInLog, sizeOf, watchLog } from './bounded-log.ts';
import { createClusterIfMissing, SUPERUSER } from './cluster.ts';
import { readDatabaseFile } from './database-file.ts';
import { findDatabaseUser } from './database-user.ts';
import { type DatabaseFolders, PORT, placesOf, preparePlaces } from './places.ts';
import { spawnPostmaster, stopPostmaster } from './postmaster.ts';

/** Port and TLS are explicit, so that PGPORT and PGSSLMODE in the server's environment do not override them. */
export interface EmbeddedConnection extends ConnectionSettings {
  port: number;
  ssl: false;
}

export interface EmbeddedPostgres {
  connection: EmbeddedConnection;
  /** True if a postmaster started by another process was already running. */
  isAttached: boolean;
  logFile: string;
  /**
   * The caller must release this server's own lock first. The database keeps running if another server holds a lock.
   */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Absolute path of the data folder. */
  directory: string;
  settings?: Record<string, string>;
  /** Where root stores files that the database's user cannot reach in the data folder. */
  systemFolder?: string;
  /** The platform package, if it is not the installed one. */
  packageFolder?: string;
}

type Attempt = 'connected' | 'not running' | 'not ready';

const SYSTEM_FOLDER = '/var/lib/sortie';
/** Crash recovery may take long; meanwhile the postmaster responds "not ready". */
const RECOVERY_MS = 120_000;
/** After a crash, the last backends hold the shared memory for a moment, in which a new postmaster refuses to start. */
const RETRY_MS = 10_000;
const POLL_MS = 20;

/** Starts PostgreSQL in the data folder, or uses the one that is already running there. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { directory, settings = {}, systemFolder = SYSTEM_FOLDER, packageFolder } = options;
  const file = await readDatabaseFile(directory);
  const user = await findDatabaseUser(file && placesOf(directory, file).clusterFolder);
  const places = await preparePlaces({ dataFolder: directory, systemFolder, user });
  const connection = connectionTo(places);
  const isAttached = (await tryConnect(connection)) === 'connected';
  if (!isAttached) {
    const copiesFolder = user ? systemFolder : directory;
    const binaries = await findBinaries({ user, copiesFolder, packageFolder });
    const isDurable = settings.fsync !== 'off';
    await createClusterIfMissing({ initdb: binaries.initdb, places, user, isDurable });
    await startPostmaster({ binaries, places, user, settings });
  }
  const endWatch = watchLog(places.logFile);
  return {
    connection,
    isAttached,
    logFile: places.logFile,
    async stop() {
      endWatch();
      await stopIfUnused(places);
    },
  };
}

/** Finds the database of a running server, for commands that need one. Resolves to undefined if none is running. */
export async function findEmbeddedPostgres(dataFolder: string): Promise<EmbeddedConnection | undefined> {
  const file = await readDatabaseFile(dataFolder);
  if (!file) return undefined;
  const connection = connectionTo(placesOf(dataFolder, file));
  return (await tryConnect(connection)) === 'connected' ? connection : undefined;
}

function connectionTo({ socketFolder, password }: DatabaseFolders): EmbeddedConnection {
  return { host: socketFolder, port: PORT, user: SUPERUSER, password, database: 'postgres', ssl: false };
}

async function stopIfUnused(places: DatabaseFolders): Promise<void> {
  const connection = connectionTo(places);
  const stop = () => stopPostmaster(places.clusterFolder);
  if ((await tryConnect(connection)) === 'connected') await unlessAnotherServerRuns(connection, stop);
  else await stop();
}

interface StartOptions {
  binaries: Binaries;
  places: DatabaseFolders;
  user: SystemUser | undefined;
  settings: Record<string, string>;
}

/**
 * Retries, because a postmaster that exits at once has often collided with another one that is starting or stopping.
 */
async function startPostmaster({ binaries, places, user, settings }: StartOptions): Promise<void> {
  if (existsSync(places.logFile)) await boundLog(places.logFile);
  const logged = await sizeOf(places.logFile);
  const connection = connectionTo(places);
  const giveUpAt = Date.now() + RETRY_MS;
  for (let attempt = 1; Date.now() < giveUpAt; attempt++) {
    const { ended } = spawnPostmaster({ postgres: binaries.postgres, places, user, settings });
    if (await isReadyBefore(ended, connection)) return;
    // Without this file no other postmaster was involved, so the failure is permanent.
    if (attempt >= 3 && !existsSync(join(places.clusterFolder, 'postmaster.pid'))) break;
    await sleep(POLL_MS * 5);
  }
  const reason = await reasonInLog(places.logFile, logged);
  throw new StartupError(`The embedded database does not start: ${reason}. See its log, ${places.logFile}.`);
}

async function isReadyBefore(ended: Promise<void>, connection: EmbeddedConnection): Promise<boolean> {
  let isRunning = true;
  void ended.then(() => {
    isRunning = false;
  });
  const giveUpAt = Date.now() + RECOVERY_MS;
  while (Date.now() < giveUpAt) {
    const attempt = await tryConnect(connection);
    if (attempt === 'connected') return true;
    if (attempt === 'not running' && !isRunning) return false;
    await sleep(POLL_MS);
  }
  return false;
}

const CANNOT_CONNECT_NOW = '57P03';
const TOO_MANY_CONNECTIONS = '53300';
const INVALID_PASSWORD = '28P01';

async function tryConnect(connection: EmbeddedConnection): Promise<Attempt> {
  const client = new pg.Client(clientSettings(connection, 'sortie start'));
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return 'connected';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === TOO_MANY_CONNECTIONS) return 'connected';
    if (code === CANNOT_CONNECT_NOW) return 'not ready';
    if (code === INVALID_PASSWORD) {
      throw new StartupError(
        'The password in database.json is wrong for the database beside it. Restore both from the same backup.',
        { cause: error },
      );
    }
    return 'not running';
  }
}
