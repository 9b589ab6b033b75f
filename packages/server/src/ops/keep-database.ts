import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { ConnectionSettings } from '../db/database.ts';
import { readDatabaseFile } from '../db/embedded/database-file.ts';
import { placesOf } from '../db/embedded/places.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/start.ts';
import { type ServerLock, takeServerLock } from '../db/server-lock.ts';
import { StartupError } from '../errors/startup-error.ts';
import { describeError, type Log } from '../platform/log.ts';
import { within } from './within.ts';

export interface KeptDatabase {
  connection: ConnectionSettings;
  /** Releases the data folder, and stops the embedded database unless another server uses it. */
  release(): Promise<void>;
}

interface KeepOptions {
  config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  log: Log;
  /** Called if the data folder is gone or another server has taken it, so that this server has to stop. */
  onGivenUp(reason: StartupError): void;
}

interface Source {
  /** Identifies the server. An embedded database belongs to one data folder; a shared one serves many. */
  lockName: string;
  /** How long another server must hold the lock before this one gives up. */
  patienceMs: number;
  start(): Promise<ConnectionSettings>;
  /** Called before each restart. Resolves to the reason if a restart must not be tried. */
  whyLost(): Promise<StartupError | undefined>;
  stop(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;
/** A start in progress may take longer than a stop may; the next start cleans up after it. */
const LAST_ATTEMPT_MS = 2_000;
/** An unresponsive database does not close the lock's session either, so the wait is limited. */
const UNLOCK_MS = 500;

/**
 * Starts the database and holds the lock of the data folder. If the lock's session breaks, starts the database again if
 * it does not run, and takes the lock again.
 */
export async function keepDatabase({ config, log, onGivenUp }: KeepOptions): Promise<KeptDatabase> {
  const { databaseUrl, dataDir } = config;
  const isEmbedded = databaseUrl === undefined;
  const source = isEmbedded ? embedded(dataDir) : shared(databaseUrl, dataDir);
  const released = new AbortController();
  let recovery = Promise.resolve();
  let lock: ServerLock | undefined;

  async function takeLock(connection: ConnectionSettings): Promise<void> {
    let isOurs = false;
    const taken = await takeServerLock(connection, source.lockName, (error) => {
      if (!isOurs) return;
      log.warn('the database connection was lost', describeError(error));
      lock = undefined;
      recovery = recover();
    });
    isOurs = true;
    lock = taken;
  }

  async function recover(): Promise<void> {
    const lostAt = Date.now();
    for (let waitMs = FIRST_RETRY_MS; !released.signal.aborted; waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)) {
      const reason = await source.whyLost();
      if (reason) return onGivenUp(reason);
      try {
        const connection = await source.start();
        const refusal = await takeLock(connection).catch(asRefusal);
        if (!refusal) return log.info('the database is available again', { durationMs: Date.now() - lostAt });
        if (Date.now() - lostAt >= source.patienceMs) return onGivenUp(refusal);
      } catch (error) {
        log.warn('the database is still unavailable', describeError(error));
      }
      await sleep(waitMs, undefined, { signal: released.signal }).catch(() => undefined);
    }
  }

  async function release(): Promise<void> {
    released.abort();
    // Otherwise the recovery could start the database after it was stopped.
    if (isEmbedded) await within(LAST_ATTEMPT_MS, recovery);
    if (lock) await within(UNLOCK_MS, lock.release());
    await source.stop();
  }

  async function begin(): Promise<ConnectionSettings> {
    const connection = await source.start();
    await takeLock(connection);
    return connection;
  }

  try {
    const connection = await begin().catch((error) => {
      // The database that was found running may just have been stopped by its own server.
      if (!isEmbedded || error instanceof StartupError) throw error;
      return begin();
    });
    return { connection, release };
  } catch (error) {
    await source.stop();
    throw error;
  }
}

/** A StartupError means that another server holds the lock; all other errors are retried. */
function asRefusal(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  throw error;
}

function embedded(dataDir: string): Source {
  let postgres: EmbeddedPostgres | undefined;
  return {
    lockName: 'server',
    // A server whose start was refused holds the lock only briefly, while it stops a database that it believes to be
    // unused.
    patienceMs: 2_000,
    async start() {
      postgres = await startEmbeddedPostgres({ directory: dataDir });
      return postgres.connection;
    },
    async whyLost() {
      const file = await readDatabaseFile(dataDir).catch(() => undefined);
      if (file && existsSync(placesOf(dataDir, file).clusterFolder)) return undefined;
      // A new start would create an empty database.
      return new StartupError(
        `The database of the data folder ${dataDir} is gone: its files were moved or removed. Put them back, then start again.`,
      );
    },
    async stop() {
      await postgres?.stop();
    },
  };
}

function shared(databaseUrl: string, dataDir: string): Source {
  return {
    lockName: `server ${hostname()} ${dataDir}`,
    // After a network failure, the database may keep our own former session for a while.
    patienceMs: 120_000,
    start: async () => ({ connectionString: databaseUrl }),
    whyLost: async () => undefined,
    stop: async () => undefined,
  };
}
