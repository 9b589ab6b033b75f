import type { Database } from '../db/database.ts';
import type { RecurringJob } from '../jobs/recurring.ts';
import type { Log } from '../platform/log.ts';
import { deleteExpiredImports, deleteOldCredentials } from './credentials.ts';

/** Returns the daily job that deletes old test accounts and API descriptions. */
export function createCredentialJobs(database: Database, log: Log): RecurringJob[] {
  return [{ name: 'delete-old-credentials', everySeconds: 24 * 60 * 60, run: () => deleteAndReport(database, log) }];
}

async function deleteAndReport(database: Database, log: Log): Promise<void> {
  const count = await deleteOldCredentials(database);
  if (count > 0) log.info('old test accounts were deleted', { count });
  const imports = await deleteExpiredImports(database);
  if (imports > 0) log.info('API descriptions of expired verifications were deleted', { count: imports });
}
