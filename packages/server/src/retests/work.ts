import { type FromEngine, LOCKOUT_CHECKS } from '@sortie/engine';
import { sql } from 'kysely';
import { type Database, inTransaction, type Queries } from '../db/database.ts';
import { recordEgress } from '../egress/egress.ts';
import { type Lease, type LeaseTerms, leaseEnd, readStanding, type Standing } from '../jobs/leases.ts';
import { isWindowOpen } from '../targets/targets.ts';

export interface TakenRetest extends Lease {
  accountId: string;
  targetId: string;
  pentestId: string;
  verificationId: string;
  /** Attempts since the last judged finding, including this one. */
  attempts: number;
}

/** Takes the oldest retest that waits or whose lease has expired, and whose target's window is open. */
export async function takeRetest(queries: Queries, { owner, leaseMs }: LeaseTerms): Promise<TakenRetest | undefined> {
  const { rows } = await sql<TakenRetest>`
    update retest as taken set
      lease_owner = ${owner}, lease_epoch = taken.lease_epoch + 1, lease_until = ${leaseEnd(leaseMs)},
      attempts = taken.attempts + 1, started_at = coalesce(taken.started_at, service_now())
    from pentest
    where pentest.id = taken.pentest_id and taken.id = (
      select id from retest
      where completed_at is null and (lease_until is null or lease_until <= clock_timestamp())
        and (select ${isWindowOpen} from target where target.id = retest.target_id)
      order by created_at, id limit 1 for update skip locked)
    returning taken.id, taken.lease_epoch as epoch, taken.account_id as "accountId", taken.target_id as "targetId",
      taken.pentest_id as "pentestId", pentest.verification_id as "verificationId", taken.attempts`.execute(queries);
  return rows[0];
}

/** A proof that may lock accounts of the target is replayed after those that need a login. */
const mayLock = sql`coalesce(check_id = any(${LOCKOUT_CHECKS}), false)`;

/**
 * Resolves to the next finding to test, with the changes that an interrupted attempt left to undo; undefined if the
 * retest is over.
 */
export function findNext(
  queries: Queries,
  { id, epoch }: Lease,
): Promise<{ findingId: string; state: string | null } | undefined> {
  return queries
    .selectFrom('retest')
    .innerJoin('retest_finding', 'retest_finding.retest_id', 'retest.id')
    .innerJoin('pentest_finding', 'pentest_finding.id', 'retest_finding.finding_id')
    .select(['finding_id as findingId', 'engine_state as state'])
    .where('retest.id', '=', id)
    .where('lease_epoch', '=', epoch)
    .where('completed_at', 'is', null)
    .where('outcome', 'is', null)
    .orderBy(mayLock)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
}

export type Judged = Pick<Extract<FromEngine, { type: 'replayed' }>, 'outcome' | 'reason' | 'places'>;

/** Stores the outcome of a replay. The retest is over with its last finding. Does nothing if the lease is lost. */
export function saveJudged(database: Database, lease: Lease, findingId: string, judged: Judged): Promise<void> {
  return inTransaction(database, async (tx) => {
    if ((await readStanding(tx, 'retest', lease)) !== 'OURS') return;
    const { outcome, reason, places } = judged;
    await tx
      .updateTable('retest_finding')
      .set({ outcome, reason, places: JSON.stringify(places), tested_at: sql<Date>`service_now()` })
      .where('retest_id', '=', lease.id)
      .where('finding_id', '=', findingId)
      .where('outcome', 'is', null)
      .execute();
    // Ending a retest raises its epoch, as for a pentest.
    await sql`
      with rest as (select count(*) as count from retest_finding where retest_id = ${lease.id} and outcome is null)
      update retest set attempts = 1, engine_state = null,
        completed_at = case when rest.count = 0 then service_now() end,
        lease_epoch = lease_epoch + case when rest.count = 0 then 1 else 0 end
      from rest where id = ${lease.id}`.execute(tx);
  });
}

/** Persists the changes that an interrupted replay leaves to undo. Resolves to false if the lease is lost. */
export async function keepRetestState(queries: Queries, { id, epoch }: Lease, state: string): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('retest')
    .set({ engine_state: state })
    .where('id', '=', id)
    .where('lease_epoch', '=', epoch)
    .where('completed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type Egress = Extract<FromEngine, { type: 'egress' }>['egress'];

/** Records egress in the record of the run, unless another worker holds the retest. */
export function noteRetestEgress(
  database: Database,
  { id, epoch, pentestId }: TakenRetest,
  egress: Egress,
): Promise<Standing> {
  return inTransaction(database, async (tx) => {
    const standing = await readStanding(tx, 'retest', { id, epoch });
    if (standing !== 'LOST') await recordEgress(tx, pentestId, egress);
    return standing;
  });
}
