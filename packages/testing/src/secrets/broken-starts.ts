import pg from 'pg';
import type { ConnectionSettings } from '../../../server/src/db/database.ts';
import type { Answer } from '../http/call.ts';
import { waitFor } from '../server/up.ts';

/** The tables that a start writes, in this order. */
export type StartTable = 'idempotency_claim' | 'pentest' | 'credential' | 'api_description';

async function withClient<T>(connection: ConnectionSettings, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface Interrupted {
  table: StartTable;
  /** Sends the starts, which block at the table. */
  send(): Promise<Answer>[];
  /** Called while they wait. */
  interrupt(client: pg.Client): Promise<void>;
}

/** Interrupts starts midway. Resolves to the outcome of each. */
export function interruptStarts(
  connection: ConnectionSettings,
  { table, send, interrupt }: Interrupted,
): Promise<PromiseSettledResult<Answer>[]> {
  return withClient(connection, async (client) => {
    await client.query(`begin; lock table ${table} in exclusive mode`);
    const sent = send();
    const outcomes = Promise.allSettled(sent);
    await waitFor(async () => (await countWaiting(client, table)) >= sent.length, { what: `starts to need ${table}` });
    await interrupt(client);
    await client.query('rollback');
    return outcomes;
  });
}

async function countWaiting(client: pg.Client, table: StartTable): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(
    `select count(distinct pid)::int as waiting from pg_locks
     where not granted and relation = $1::regclass and mode = 'RowExclusiveLock'`,
    [table],
  );
  return rows[0]?.waiting ?? 0;
}

/** Terminates the connections that wait for a table. */
export async function cutWaiting(client: pg.Client, table: StartTable): Promise<void> {
  await client.query('select pg_terminate_backend(pid) from pg_locks where not granted and relation = $1::regclass', [
    table,
  ]);
}

/** Terminates all connections of servers, and refuses new ones until `work` is done. */
export async function withoutDatabase(connection: ConnectionSettings, work: () => Promise<void>): Promise<void> {
  const { database = '', ...server } = connection;
  await withClient({ ...server, database: 'postgres' }, async (client) => {
    await client.query(`alter database ${database} allow_connections false`);
    try {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'sortie'`,
        [database],
      );
      await work();
    } finally {
      await client.query(`alter database ${database} allow_connections true`);
    }
  });
}

/** Makes every change of a table fail with the row, the query and a searchable text in the error. */
export function failingOn<T>(
  connection: ConnectionSettings,
  { event, text }: { event: string; text: string },
  work: () => Promise<T>,
): Promise<T> {
  return withClient(connection, async (client) => {
    await client.query(`
      create function tell_everything() returns trigger language plpgsql as $$
      begin
        raise exception using message = '${text} ' || new::text, detail = '${text} ' || current_query(), hint = '${text}';
      end $$;
      create trigger tell_everything before ${event} for each row execute function tell_everything()`);
    try {
      return await work();
    } finally {
      await client.query('drop function tell_everything() cascade');
    }
  });
}

/** Makes inserts fail with PostgreSQL's own message that includes the row: "Failing row contains". */
export function refusingRows<T>(connection: ConnectionSettings, table: StartTable, work: () => Promise<T>): Promise<T> {
  return withClient(connection, async (client) => {
    await client.query(`alter table ${table} add constraint refuse_all check (false) not valid`);
    try {
      return await work();
    } finally {
      await client.query(`alter table ${table} drop constraint refuse_all`);
    }
  });
}
