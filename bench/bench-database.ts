import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ConnectionSettings, openDatabase } from '../packages/server/src/db/database.ts';
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded/start.ts';
import { claimEnvironment } from '../packages/server/src/db/environment.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';

/** Creates a database with the product's own settings. Unlike in tests, fsync is on. */
export async function createBenchDatabase(): Promise<{
  connection: ConnectionSettings;
  url: string;
  drop(): Promise<void>;
}> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sortie-bench-'));
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'data') });
  await migrate(postgres.connection);
  const database = openDatabase(postgres.connection, { connections: 1 });
  await claimEnvironment(database, 'test');
  await database.close();
  const { user, password = '', host = '' } = postgres.connection;
  return {
    connection: postgres.connection,
    url: `postgres://${user}:${encodeURIComponent(password)}@localhost/postgres?host=${encodeURIComponent(host)}`,
    async drop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
