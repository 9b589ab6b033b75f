import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
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
  /** Gives the data folder free and stops the embedded database, unless another server uses it. */
  release(): Promise<void>;
}

interface KeepOptions {
  config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  log: Log;
  /** The data folder has gone, or another server has taken it: this one has to stop. */
  onGivenUp(reason: StartupError): void;
}

interface Source {
  /** Tells servers apart. An embedded database belongs to one data folder, a shared one serves many. */
  lockName: string;
  /** How long another server must hold the lock until it is believed. */
  patienceMs: number;
  start(): Promise<ConnectionSettings>;
  /** Called before it is started again; undefined when that may be tried. */
  whyLost(): Promise<StartupError | undefined>;
  stop(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;
/** A start that is under way may outlast the time for a stop, and what it leaves behind the next start finds. */
const LAST_ATTEMPT_MS = 2_000;
/** A database that has stopped answering does not say goodbye either. */
const GOODBYE_MS = 500;

/**
 * Starts the database and holds the lock of the data folder. When the session of the lock breaks, the database may
 * have died or only that session: either way it is started, if it does not run, and the lock is taken anew.
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
      log.warn('the database was lost', describeError(error));
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
        if (!refusal) return log.info('the database is back', { durationMs: Date.now() - lostAt });
        if (Date.now() - lostAt >= source.patienceMs) return onGivenUp(refusal);
      } catch (error) {
        log.warn('the database is not back yet', describeError(error));
      }
      await sleep(waitMs, undefined, { signal: released.signal }).catch(() => undefined);
    }
  }

  async function release(): Promise<void> {
    released.abort();
    // Otherwise the database could be started after it was stopped.
    if (isEmbedded) await within(LAST_ATTEMPT_MS, recovery);
    if (lock) await within(GOODBYE_MS, lock.release());
    await source.stop();
  }

  async function begin(): Promise<ConnectionSettings> {
    const connection = await source.start();
    await takeLock(connection);
    return connection;
  }

  try {
    const connection = await begin().catch((error) => {
      // What was found running may just have been stopped by the server it belonged to.
      if (!isEmbedded || error instanceof StartupError) throw error;
      return begin();
    });
    return { connection, release };
  } catch (error) {
    await source.stop();
    throw error;
  }
}

/** Only another server's lock is refused in these words; whatever else fails may be better next time. */
function asRefusal(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  throw error;
}

function embedded(dataDir: string): Source {
  let postgres: EmbeddedPostgres | undefined;
  return {
    lockName: 'server',
    // A server that was refused, and stops what it believes unused, is soon gone.
    patienceMs: 2_000,
    async start() {
      postgres = await startEmbeddedPostgres({ directory: dataDir });
      return postgres.connection;
    },
    async whyLost() {
      const file = await readDatabaseFile(dataDir).catch(() => undefined);
      if (file && existsSync(placesOf(dataDir, file).clusterFolder)) return undefined;
      // Starting would make a new, empty database.
      return new StartupError(`The database of the data folder ${dataDir} is gone: its files were moved or removed.`);
    },
    async stop() {
      await postgres?.stop();
    },
  };
}

function shared(databaseUrl: string, dataDir: string): Source {
  return {
    lockName: `server ${hostname()} ${dataDir}`,
    // Behind a broken network the database may see our own former session live on.
    patienceMs: 120_000,
    start: async () => ({ connectionString: databaseUrl }),
    whyLost: async () => undefined,
    stop: async () => undefined,
  };
}
