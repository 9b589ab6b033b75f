import type { Environment } from '../config.ts';
import { StartupError } from '../startup-error.ts';
import type { Database } from './database.ts';

/** The first server to start on a database decides its environment for good. */
export async function claimEnvironment(database: Database, environment: Environment): Promise<void> {
  const { queries } = database;
  await queries
    .insertInto('service')
    .values({ environment })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const service = await queries.selectFrom('service').select('environment').executeTakeFirstOrThrow();
  if (service.environment === environment) return;
  throw new StartupError(
    `This database belongs to the ${service.environment} environment and this server was started for ` +
      `${environment}. Start it with --environment ${service.environment}, name another DATABASE_URL if you use one, ` +
      'or give it another --data.',
  );
}
