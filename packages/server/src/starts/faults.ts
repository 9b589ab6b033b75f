import { sql } from 'kysely';
import { recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { requireTestEnvironment } from '../db/environment.ts';

type FaultName = 'handover';

/** Makes the next `times` attempts fail, on any node. Replaces an earlier order. */
export async function orderFault(
  tx: Transaction,
  { name, times, actor }: { name: FaultName; times: number; actor: string },
): Promise<void> {
  await requireTestEnvironment(tx, 'Faults can only be ordered in the environment test.');
  await tx
    .insertInto('fault')
    .values({ name, remaining: times })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ remaining: times }))
    .execute();
  await recordAudit(tx, { actor, action: 'fault.ordered', accountId: null, subject: name, details: { times } });
}

/** Resolves to whether this attempt was ordered to fail, and counts it. */
export async function takeFault(queries: Queries, name: FaultName): Promise<boolean> {
  const taken = await queries
    .updateTable('fault')
    .set({ remaining: sql<number>`remaining - 1` })
    .where('name', '=', name)
    .where('remaining', '>', 0)
    .returning('name')
    .executeTakeFirst();
  return taken !== undefined;
}
