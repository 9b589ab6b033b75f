import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';

/** A run taken by a worker; valid while the run's epoch is unchanged. */
export interface Lease {
  id: string;
  epoch: number;
}

export interface LeaseTerms {
  /** The worker's name. */
  owner: string;
  leaseMs: number;
}

export type LeasedTable = 'pentest' | 'scan' | 'ownership_check' | 'retest';

/** On the real clock, since a lease limits how long a worker without heartbeats keeps its run. */
export const leaseEnd = (leaseMs: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`;

/**
 * The state of a run for the worker that took it: still leased to it; over, and not taken by another worker since; or
 * lost to another worker. Only ending a pentest or a retest raises the epoch, so other kinds of runs count as lost once
 * they are over.
 */
export type Standing = 'OURS' | 'OVER' | 'LOST';

const standing = sql<Standing>`case
  when run.lease_epoch = lease.epoch and run.completed_at is null then 'OURS'
  when run.lease_epoch = lease.epoch + 1 and run.completed_at is not null then 'OVER'
  else 'LOST' end`;

/**
 * Resolves to the state of the run for the worker, and locks the row so that the state stays valid until the
 * transaction ends.
 */
export async function readStanding(
  tx: Transaction,
  table: LeasedTable,
  { id, epoch }: Lease,
  lock: 'share' | 'key share' = 'share',
): Promise<Standing> {
  const { rows } = await sql<{ standing: Standing }>`
    select ${standing} as standing from ${sql.table(table)} as run
    join (values (${id}, ${epoch}::integer)) as lease (id, epoch) on lease.id = run.id
    ${lock === 'share' ? sql`for share of run` : sql`for key share of run`}`.execute(tx);
  return rows[0]?.standing ?? 'LOST';
}

/**
 * Renews the leases and resolves to the state of each. Omits a lease whose row another transaction has locked: it is
 * neither renewed nor lost. Rows are locked in id order, as all code does that locks several, to avoid deadlocks.
 */
export async function renewLeases(
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
    ), renewed as (
      update ${sql.table(table)} as run set lease_until = ${leaseEnd(leaseMs)}
      from asked where run.id = asked.id and asked.standing = 'OURS'
    )
    select id, standing from asked`.execute(queries);
  return new Map(rows.map(({ id, standing }) => [id, standing]));
}

/** Releases the run at once without counting the attempt, for a worker that stops in order. */
export async function returnLease(queries: Queries, table: LeasedTable, { id, epoch }: Lease): Promise<void> {
  await sql`
    update ${sql.table(table)} set lease_until = null, attempts = attempts - 1
    where id = ${id} and lease_epoch = ${epoch} and completed_at is null`.execute(queries);
}

/** Releases the run at once, and counts the attempt. */
export async function freeLease(queries: Queries, table: LeasedTable, { id, epoch }: Lease): Promise<void> {
  await sql`
    update ${sql.table(table)} set lease_until = null
    where id = ${id} and lease_epoch = ${epoch} and completed_at is null`.execute(queries);
}

const MOST_DOUBLINGS = 5;

/**
 * Delays the next attempt after a crash, with exponential backoff, because the node may be faulty and other runs wait.
 */
export async function backOffAfterCrash(
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
