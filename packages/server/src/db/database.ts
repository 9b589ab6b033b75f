import { Kysely, type Transaction as KyselyTransaction, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { withKeptPlans } from './kept-plans.ts';
import type { Schema } from './schema.ts';

export type Transaction = KyselyTransaction<Schema>;

/** Anything that can run a typed query: the connection pool or a transaction. */
export type Queries = Kysely<Schema>;

export interface ConnectionSettings {
  /** A postgres:// URL; the fields below supply what it omits. */
  connectionString?: string;
  host?: string;
  user?: string;
  password?: string;
  database?: string;
}

export interface Database {
  /** For frequent reads, which are written by hand as named statements. */
  pool: pg.Pool;
  /** Names its prepared statements automatically. */
  queries: Queries;
  close(): Promise<void>;
}

const INT8 = 20;
const DATE = 1082;

/**
 * Credits are integers far below 2^53, so bigint is parsed as a number. A calendar day stays text, because a Date would
 * add a time zone.
 */
const typeParsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return Number;
    if (oid === DATE) return (day: string) => day;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

export interface DatabaseOptions {
  connections?: number;
  applicationName?: string;
  /** Called when an idle connection breaks. The pool replaces it, so callers only log the error. */
  onConnectionLost?: (error: Error) => void;
}

/**
 * Timestamps are compared as instants; another session time zone would only change how they are printed. Our plans do
 * not depend on parameter values, but PostgreSQL would replan the larger prepared statements on each execution, at
 * three times the cost of running them.
 */
const SESSION_SETTINGS = '-c timezone=UTC -c plan_cache_mode=force_generic_plan -c jit=off';

/** A node that hangs in a transaction must not block an account indefinitely. */
const IDLE_IN_TRANSACTION_MS = 30_000;

/** Returns the settings of the PostgreSQL driver for a connection. */
export function clientSettings(connection: ConnectionSettings, applicationName = 'sortie'): pg.ClientConfig {
  const { connectionString } = connection;
  return {
    ...connection,
    ...(connectionString !== undefined && { connectionString: withoutSessionSettings(connectionString) }),
    application_name: applicationName,
    options: SESSION_SETTINGS,
    types: typeParsers,
    connectionTimeoutMillis: 10_000,
  };
}

/** Removed from the URL, since the driver prefers the URL's parameters over ours. */
const OWN_PARAMETERS = ['options', 'application_name'];

function withoutSessionSettings(address: string): string {
  const [place = '', ...rest] = address.split('?');
  const isOurs = (parameter: string) => OWN_PARAMETERS.some((name) => new URLSearchParams(parameter).has(name));
  const kept = rest
    .join('?')
    .split('&')
    .filter((parameter) => !isOurs(parameter));
  return [place, kept.join('&')].filter((part) => part !== '').join('?');
}

/** Far longer than any of our statements takes; one that exceeds it is stuck. */
const STATEMENT_TIMEOUT_MS = 30_000;

/** Opens a pool of connections. Connects with the first query. */
export function openDatabase(connection: ConnectionSettings, options: DatabaseOptions = {}): Database {
  const pool = new pg.Pool({
    ...clientSettings(connection, options.applicationName),
    max: options.connections ?? 10,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  });
  // The pool handles errors of idle connections only. A connection that breaks in use also fails its statement, which
  // reports the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => options.onConnectionLost?.(error));
  const queries = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withKeptPlans(pool) }) });
  return { pool, queries, close: () => queries.destroy() };
}

/**
 * Runs the work in one READ COMMITTED transaction, on purpose: every statement after a lock must see what the previous
 * holder of the lock committed. A stricter level would keep reading the snapshot from before the wait.
 */
export function inTransaction<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.queries.transaction().setIsolationLevel('read committed').execute(work);
}

/**
 * Runs the work so that all its statements read the same state, regardless of concurrent commits. The statements must
 * run one after the other.
 */
export function inSnapshot<T>(database: Database, work: (queries: Queries) => Promise<T>): Promise<T> {
  return database.queries.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/** Resolves to the time of the service clock. */
export async function serviceNow(queries: Queries): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select service_now() as now`.execute(queries);
  const now = rows[0]?.now;
  if (!now) throw new Error('the database has no service row; was it set up?');
  return now;
}
