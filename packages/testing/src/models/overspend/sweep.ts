import type { Database } from '../../../../server/src/db/database.ts';
import { environment, type Product } from './product.ts';

/** Runs the background jobs for starts and credits. Resolves to the runs that it tried to give up. */
export async function sweep(
  product: Product,
  database: Database,
  onGivingUp: (runId: string | undefined) => void = () => undefined,
): Promise<string[]> {
  const { settings, log } = environment;
  const { pentestKind } = product.pentests;
  const runIds: string[] = [];
  const kind: typeof pentestKind = {
    ...pentestKind,
    giveUp(tx, claim) {
      runIds.push(claim.runId);
      onGivingUp(claim.runId);
      return pentestKind.giveUp(tx, claim);
    },
  };
  for (const job of product.createStartJobs(database, { kinds: [kind], settings, log })) await job.run();
  onGivingUp(undefined);
  await product.jobs.expireDueGrants(database).catch(unlessLocked);
  return runIds;
}

const LOCK_NOT_AVAILABLE = '55P03';

/** A sweep skips a locked account until the next round. */
function unlessLocked(error: Error): void {
  if ((error.cause as { code?: string } | undefined)?.code !== LOCK_NOT_AVAILABLE) throw error;
}
