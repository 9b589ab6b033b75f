import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';

/** A run that a worker has taken, for as long as its epoch stands. */
export interface Lease {
  id: string;
  epoch: number;
}

export interface LeaseTerms {
  /** The worker's name. */
  owner: string;
  leaseMs: number;
}

export type LeasedTable = 'pentest' | 'scan';

/** On the real clock: a lease says how long a silent worker may still be alive. */
export const leaseEnd = (leaseMs: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`;

/** Answers which of them are still the worker's. */
export async function prolong(
  queries: Queries,
  table: LeasedTable,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update ${sql.table(table)} as run set lease_until = ${leaseEnd(leaseMs)}
    from unnest(${leases.map(({ id }) => id)}::text[], ${leases.map(({ epoch }) => epoch)}::integer[])
      as lease (id, epoch)
    where run.id = lease.id and run.lease_epoch = lease.epoch and run.completed_at is null
    returning run.id`.execute(queries);
  return new Set(rows.map((row) => row.id));
}

/** For others to go on with. A worker that leaves in order has not used up an attempt. */
export async function release(
  queries: Queries,
  table: LeasedTable,
  { id, epoch }: Lease,
  { isOrderly }: { isOrderly: boolean },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set lease_until = null, attempts = attempts - ${isOrderly ? 1 : 0}
    where id = ${id} and lease_epoch = ${epoch} and completed_at is null`.execute(queries);
}
