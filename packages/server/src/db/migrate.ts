import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { StartupError } from '../errors/startup-error.ts';
import { type ConnectionSettings, clientSettings } from './database.ts';

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

/**
 * Applies the missing migrations and resolves to their names. Any number of nodes may call it concurrently: one applies
 * them while the others wait. Applied migrations without a file belong to a newer release, whose nodes may already use
 * the database.
 */
export async function migrate(connection: ConnectionSettings, folder = MIGRATIONS): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = new pg.Client(clientSettings(connection, 'sortie migrate'));
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtextextended('sortie migrate', 0))`);
    return await applyMissing(client, migrations);
  } finally {
    // The end of the session releases the lock, even after a failed migration.
    await client.end();
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const misnamed = names.find((name) => !FILE_NAME.test(name));
  if (misnamed) throw new StartupError(`Migration ${misnamed} is not named NNNN_name.sql. Rename it.`);
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function applyMissing(client: pg.Client, migrations: Migration[]): Promise<string[]> {
  const checksums = await readApplied(client);
  const missing: Migration[] = [];
  for (const migration of migrations) {
    const checksum = checksums.get(migration.name);
    if (checksum === undefined) missing.push(migration);
    else if (checksum !== migration.checksum) refuseChanged(migration.name);
  }
  for (const migration of missing) await apply(client, migration);
  return missing.map(({ name }) => name);
}

function refuseChanged(name: string): never {
  throw new StartupError(
    `Migration ${name} was changed after it had been applied to this database. ` +
      'Restore the file as it was released; a change of the schema needs a new migration.',
  );
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`
    create table if not exists schema_migration (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      `Migration ${name} failed and was rolled back: ${reason}. Start the previous version of Sortie, and report this.`,
      { cause: error },
    );
  }
}
