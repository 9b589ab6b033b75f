import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { StartupError } from '../errors/startup-error.ts';
import { randomBase62 } from '../platform/new-id.ts';
import { type ConnectionSettings, clientSettings, type Queries } from './database.ts';

export interface ServerLock {
  release(): Promise<void>;
}

/** Arbitrary numbers that keep these locks apart from all other advisory locks of the database. */
const NAMED = 0x50f71e1;
/** Every server holds this lock in shared mode, so an exclusive holder knows that no server is running. */
const PRESENCE = 0x50f71e2;

/** The pid is for the operator; servers in different containers may have the same one. */
const NAME_PREFIX = 'sortie server';
const APPLICATION_NAME = `${NAME_PREFIX} ${process.pid} ${randomBase62(8)}`;

/** How long to wait for the lock. The database detects within milliseconds that a server was killed. */
const PATIENCE_MS = 1_000;

/**
 * Takes a lock in a dedicated session, which a killed server loses with its connection. Calls `onLost` when that
 * session breaks; from then on another server may run at the same time.
 */
export async function takeServerLock(
  connection: ConnectionSettings,
  name: string,
  onLost: (error: Error) => void = () => undefined,
): Promise<ServerLock> {
  const client = await connect(connection);
  let isHeld = true;
  let reason = new Error('the connection that holds the server lock was closed');
  client.on('error', (error) => {
    reason = error;
  });
  client.on('end', () => {
    if (isHeld) onLost(reason);
  });
  const release = async () => {
    isHeld = false;
    await client.end();
  };
  try {
    await acquire(client, name);
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

/** Resolves to whether the server with that pid holds its lock. A killed server loses the lock at once. */
export async function isServerRunning(queries: Queries, pid: number): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name like ${`${NAME_PREFIX} ${pid} %`}`.execute(queries);
  return rows.length > 0;
}

/** Does the work unless another server holds a lock of this database. Prevents new servers from starting meanwhile. */
export async function unlessAnotherServerRuns(
  connection: ConnectionSettings,
  work: () => Promise<void>,
): Promise<void> {
  const client = await connect(connection);
  try {
    const { rowCount } = await client.query('select where pg_try_advisory_lock($1, 0)', [PRESENCE]);
    const holders = rowCount === 1 ? [] : await findHolders(client, PRESENCE);
    if (holders.every((holder) => holder === APPLICATION_NAME)) await work();
  } finally {
    await client.end();
  }
}

async function connect(connection: ConnectionSettings): Promise<pg.Client> {
  const client = new pg.Client({ ...clientSettings(connection, APPLICATION_NAME), keepAlive: true });
  // A session can be terminated right after it begins. The next query then reports the error.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function acquire(client: pg.Client, name: string): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (!(await tryAcquire(client, name))) {
    if (Date.now() > giveUpAt) throw await describeRefusal(client, name);
    await sleep(50);
  }
}

async function tryAcquire(client: pg.Client, name: string): Promise<boolean> {
  const present = await client.query('select where pg_try_advisory_lock_shared($1, 0)', [PRESENCE]);
  if (present.rowCount !== 1) return false;
  const named = await client.query('select where pg_try_advisory_lock($1, hashtext($2))', [NAMED, name]);
  return named.rowCount === 1;
}

async function describeRefusal(client: pg.Client, name: string): Promise<StartupError> {
  const { rows } = await client.query<{ key: number }>('select hashtext($1) as key', [name]);
  const [holder] = await findHolders(client, NAMED, rows[0]?.key);
  if (holder === undefined)
    return new StartupError('Another server is stopping this database. Start again in a few seconds.');
  const pid = /\d+/.exec(holder)?.[0] ?? 'unknown';
  return new StartupError(
    `Another server (process ${pid}) already runs on this data folder. Stop it, or give this one a folder and ports ` +
      'of its own: npm start -- --data .sortie2 --port 0 --range-port 0 --ops-port 0',
  );
}

/** Resolves to the application names of the other sessions that hold the lock. */
async function findHolders(client: pg.Client, lockClass: number, key = 0): Promise<string[]> {
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objsubid = 2 and pid <> pg_backend_pid()
       and database = (select oid from pg_database where datname = current_database())
       and classid = $1::oid and objid = ($2::bigint & 4294967295)::oid`,
    [lockClass, key],
  );
  return rows.map(({ application_name }) => application_name);
}
