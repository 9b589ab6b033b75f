import type { Environment } from '../config/variables.ts';
import { AppError } from '../errors/app-error.ts';
import { StartupError } from '../errors/startup-error.ts';
import type { Database, Transaction } from './database.ts';

/** Sets the environment of a new database permanently. Throws a `StartupError` if the database has another one. */
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

/** Throws FORBIDDEN with `message` outside environment `test`. */
export async function requireTestEnvironment(tx: Transaction, message: string): Promise<void> {
  const { environment } = await tx.selectFrom('service').select('environment').executeTakeFirstOrThrow();
  if (environment !== 'test') throw new AppError('FORBIDDEN', { message });
}
