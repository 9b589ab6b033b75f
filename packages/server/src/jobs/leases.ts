import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';

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
 * Whose a run is, for somebody who once took it: still theirs; over, and nobody has taken it since; or somebody else's.
 * Only the end of a pentest raises the epoch by itself: other runs that are over are somebody else's.
 */
export type Standing = 'OURS' | 'OVER' | 'LOST';

const standing = sql<Standing>`case
  when run.lease_epoch = lease.epoch and run.completed_at is null then 'OURS'
  when run.lease_epoch = lease.epoch + 1 and run.completed_at is not null then 'OVER'
  else 'LOST' end`;

/** It stays so until the transaction ends. */
export async function readStanding(tx: Transaction, table: LeasedTable, { id, epoch }: Lease): Promise<Standing> {
  const { rows } = await sql<{ standing: Standing }>`
    select ${standing} as standing from ${sql.table(table)} as run
    join (values (${id}, ${epoch}::integer)) as lease (id, epoch) on lease.id = run.id for share of run`.execute(tx);
  return rows[0]?.standing ?? 'LOST';
}

/**
 * Answers for each lease whether it still stands. One whose row somebody else is busy with is left out: it is neither
 * prolonged nor lost. Rows are locked in the order of their ids, as everybody does who locks several.
 */
export async function prolong(
  queries: Queries,
  table: LeasedTable,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<Map<string, Standing>> {
  const { rows } = await sql<{ id: string; standing: Standing }>`
    with asked as (
      select run.id, ${standing} as standing
      from ${sql.table(table)} as run
      join unnest(${leases.map(({ id }) => id)}::text[], ${leases.map(({ epoch }) => epoch)}::integer[])
        as lease (id, epoch) on lease.id = run.id
      order by run.id for no key update of run skip locked
    ), prolonged as (
      update ${sql.table(table)} as run set lease_until = ${leaseEnd(leaseMs)}
      from asked where run.id = asked.id and asked.standing = 'OURS'
    )
    select id, standing from asked`.execute(queries);
  return new Map(rows.map(({ id, standing }) => [id, standing]));
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

const MOST_DOUBLINGS = 5;

/** After a crash the run rests, each time longer: what is broken may be the node, and others are to have their turn. */
export async function restAfterCrash(
  queries: Queries,
  table: LeasedTable,
  { id, epoch, attempts }: Lease & { attempts: number },
  leaseMs: number,
): Promise<void> {
  const restMs = (leaseMs / 30) * 2 ** Math.min(attempts - 1, MOST_DOUBLINGS);
  await sql`
    update ${sql.table(table)} set lease_until = ${leaseEnd(restMs)}
    where id = ${id} and lease_epoch = ${epoch} and completed_at is null`.execute(queries);
}
