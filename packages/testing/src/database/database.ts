import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type ConnectionSettings, type Database, openDatabase } from '../../../server/src/db/database.ts';
import { randomBase62 } from '../../../server/src/platform/new-id.ts';
import { TEST_CLUSTER_VARIABLE, type TestCluster } from './test-cluster.ts';

export interface TestDatabase {
  database: Database;
  connection: ConnectionSettings;
  /** For DATABASE_URL of a server under test. */
  url: string;
  drop(): Promise<void>;
}

const OBJECT_IN_USE = '55006';

/** By the folder of their socket: a test file may have a database server of its own. */
const servers = new Map<string, pg.Pool>();

/** Creates a migrated database in the environment `test`. */
export async function createTestDatabase(options: { connections?: number } = {}): Promise<TestDatabase> {
  const { connection: server, template } = findCluster();
  const name = `test_${randomBase62(12).toLowerCase()}`;
  // Copies the files: a fifth of the CPU time of copying the pages through the log.
  await runPatiently(server, `create database ${name} template ${template} strategy file_copy`);
  const connection = { ...server, database: name };
  const database = openDatabase(connection, options);
  return {
    database,
    connection,
    url: urlOf(connection),
    async drop() {
      await database.close();
      await runPatiently(server, `drop database ${name} with (force)`);
    },
  };
}

function findCluster(): TestCluster {
  const published = process.env[TEST_CLUSTER_VARIABLE];
  if (published) return JSON.parse(published);
  throw new Error(
    'no test database server runs. Use `npm test`, or for one file ' +
      '`npx node --test --test-global-setup=packages/testing/src/database/cluster.ts path/to/file.test.ts`',
  );
}

function urlOf({ user = '', password = '', host = '', database }: ConnectionSettings): string {
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `postgres://${credentials}@localhost/${database}?host=${encodeURIComponent(host)}&port=5432`;
}

/** One pool for all databases of a server: a connection costs as much as the copy. It does not keep the process running. */
function poolOf(connection: ConnectionSettings): pg.Pool {
  const { host = '' } = connection;
  const pool = servers.get(host) ?? new pg.Pool({ ...connection, max: 4, allowExitOnIdle: true });
  // An idle connection that a test ends is opened anew.
  if (!servers.has(host)) pool.on('error', () => undefined);
  servers.set(host, pool);
  return pool;
}

async function runPatiently(connection: ConnectionSettings, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await poolOf(connection).query(statement);
      return;
    } catch (error) {
      // The server may still be ending a connection to the template.
      if ((error as { code?: string }).code !== OBJECT_IN_USE || attempt === 20) throw error;
      await sleep(50);
    }
  }
}
