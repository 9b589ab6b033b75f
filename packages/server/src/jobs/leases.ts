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

export type LeasedTable = 'pentest' | 'scan' | 'ownership_check';

/** On the real clock: a lease says how long a silent worker may still be alive. */
export const leaseEnd = (leaseMs: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`;

/**
 * Answers for each lease whether it still stands. One whose row somebody else is busy with is left out: it is neither
 * prolonged nor lost. Rows are locked in the order of their ids, as everybody does who locks several.
 */
export async function prolong(
  queries: Queries,
  table: LeasedTable,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ id: string; stands: boolean }>`
    with asked as (
      select run.id, run.lease_epoch = lease.epoch and run.completed_at is null as stands
      from ${sql.table(table)} as run
      join unnest(${leases.map(({ id }) => id)}::text[], ${leases.map(({ epoch }) => epoch)}::integer[])
        as lease (id, epoch) on lease.id = run.id
      order by run.id for no key update of run skip locked
    ), prolonged as (
      update ${sql.table(table)} as run set lease_until = ${leaseEnd(leaseMs)}
      from asked where run.id = asked.id and asked.stands
    )
    select id, stands from asked`.execute(queries);
  return new Map(rows.map(({ id, stands }) => [id, stands]));
}

/** A worker that leaves in order has not used up an attempt, and the run is free at once. */
export async function handBack(queries: Queries, table: LeasedTable, { id, epoch }: Lease): Promise<void> {
  await sql`
    update ${sql.table(table)} set lease_until = null, attempts = attempts - 1
    where id = ${id} and lease_epoch = ${epoch} and completed_at is null`.execute(queries);
}

/** The run is free at once, and the attempt counts. */
export async function freeLease(queries: Queries, table: LeasedTable, { id, epoch }: Lease): Promise<void> {
  await sql`
    update ${sql.table(table)} set lease_until = null
    where id = ${id} and lease_epoch = ${epoch} and completed_at is null`.execute(queries);
}

/** After a crash the run rests, each time longer: what is broken may be the node, and others are to have their turn. */
export async function restAfterCrash(
  queries: Queries,
  table: LeasedTable,
  { id, epoch, attempts }: Lease & { attempts: number },
  leaseMs: number,
): Promise<void> {
  const restMs = (leaseMs / 30) * 2 ** (attempts - 1);
  await sql`
    update ${sql.table(table)} set lease_until = ${leaseEnd(restMs)}
    where id = ${id} and lease_epoch = ${epoch} and completed_at is null`.execute(queries);
}
