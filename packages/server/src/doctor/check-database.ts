import type { Config } from '../config/config.ts';
import { openDatabase, serviceNow } from '../db/database.ts';
import { findEmbeddedPostgres } from '../db/embedded/start.ts';
import { diagnoseDatabaseError } from '../ops/explain-start-error.ts';
import { type Diagnosis, passed } from './diagnosis.ts';

/** Leases and rate limit windows compare times of several machines. */
const MOST_CLOCK_DIFFERENCE_MS = 5_000;

/** Resolves to whether the database responds and whether its clock agrees with the clock of this machine. */
export async function checkDatabase({ databaseUrl, dataDir }: Config): Promise<Diagnosis[]> {
  const connection = databaseUrl ? { connectionString: databaseUrl } : await findEmbeddedPostgres(dataDir);
  if (!connection) {
    return [passed('database', `the embedded PostgreSQL of ${dataDir} is not running; "sortie up" starts it`)];
  }
  const database = openDatabase(connection, { connections: 1, applicationName: 'sortie doctor' });
  try {
    const { rows } = await database.pool.query<{ version: string; now: Date }>(
      "SELECT current_setting('server_version') AS version, clock_timestamp() AS now",
    );
    const { version = 'unknown', now = new Date(0) } = rows[0] ?? {};
    const clock = compareClocks(now, new Date());
    const service = await serviceNow(database.queries).catch(() => null);
    const shown = service === null ? 'the service clock is not set up yet' : `service clock ${service.toISOString()}`;
    return [passed('database', `PostgreSQL ${version} responds; ${shown}`), clock];
  } catch (error) {
    return [{ name: 'database', state: 'failed', ...diagnoseDatabaseError(error) }];
  } finally {
    await database.close();
  }
}

/** Compares the clock of the database with the clock of this machine. */
export function compareClocks(ofDatabase: Date, ofMachine: Date): Diagnosis {
  const seconds = (ofMachine.getTime() - ofDatabase.getTime()) / 1_000;
  if (Math.abs(seconds) * 1_000 <= MOST_CLOCK_DIFFERENCE_MS) return passed('clock', 'agrees with the database');
  const side = seconds > 0 ? 'ahead of' : 'behind';
  const detail = `${Math.abs(seconds).toFixed(0)} s ${side} the clock of the database`;
  return { name: 'clock', state: 'failed', detail, cure: 'Synchronize the clocks of all machines by NTP.' };
}
