import { phases } from '@sortie/engine';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import { requireTestEnvironment } from '../db/environment.ts';
import type { Lease } from '../jobs/leases.ts';
import { UNKNOWN_STATUS } from './story.ts';

/** The lease owner of sandbox runs; a constraint of the pentest table refers to it. */
const OWNER = 'sandbox';

interface NewStory {
  table: 'pentest' | 'scan';
  runId: string;
  story: string;
  afterMs: number;
}

const soon = (milliseconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${milliseconds / 1000})`;

/**
 * Inserts the story of a run and leases the run for longer than any worker lives, so that no worker takes it. Does
 * nothing if the run is over.
 */
export async function insertStory(tx: Transaction, { table, runId, story, afterMs }: NewStory): Promise<void> {
  // In `live`, such a lease would block a customer's run and its credits permanently.
  await requireTestEnvironment(tx, 'Stories are played in the environment test only.');
  await sql`
    with leased as (
      update ${sql.table(table)} set lease_owner = ${OWNER}, lease_epoch = lease_epoch + 1,
        lease_until = clock_timestamp() + interval '100 years'
      where id = ${runId} and completed_at is null returning id, lease_epoch
    )
    insert into sandbox_run (run_id, story, epoch, due_at)
    select id, ${story}, lease_epoch, ${soon(afterMs)} from leased`.execute(tx);
}

export interface DueStory extends Lease {
  story: string;
  position: number;
}

/** How long other nodes wait before they retry an act that this node has taken. */
const TRY_AGAIN_MS = 5_000;
/** Leaves database connections for requests. */
const AT_ONCE = 4;

/** Takes due stories for this node. After `TRY_AGAIN_MS`, other nodes find them due again and repeat the act. */
export async function takeDueStories(queries: Queries): Promise<DueStory[]> {
  const { rows } = await sql<DueStory>`
    update sandbox_run set due_at = ${soon(TRY_AGAIN_MS)}
    where run_id in (
      select run_id from sandbox_run where due_at <= clock_timestamp()
      order by due_at limit ${AT_ONCE} for update skip locked)
    returning run_id as id, story, epoch, position`.execute(queries);
  return rows;
}

/**
 * Schedules the next act. Requires the expected position, so that a late node does not repeat an act of another node.
 */
export async function advanceStory(queries: Queries, { id, position }: DueStory, afterMs: number): Promise<void> {
  await queries
    .updateTable('sandbox_run')
    .set({ position: position + 1, due_at: soon(afterMs) })
    .where('run_id', '=', id)
    .where('position', '=', position)
    .execute();
}

/** Ends a story. Requires the expected position, so that a late node does not end a story that others have advanced. */
export async function deleteStory(queries: Queries, { id, position }: DueStory): Promise<void> {
  await queries.deleteFrom('sandbox_run').where('run_id', '=', id).where('position', '=', position).execute();
}

/** The states of a run that is not over, in order; no state shown by a story is followed by a phase. */
const inOrder = ['QUEUED', ...phases, 'PAUSED', UNKNOWN_STATUS];

/** Moves a run to a later status, never back, because an act may be late. Resolves to false if the run is over. */
export async function updateStatus(
  queries: Queries,
  { id, epoch }: Lease,
  change: { status: string; isStart?: boolean },
): Promise<boolean> {
  const isForward = sql`array_position(${inOrder}::text[], ${change.status}) > array_position(${inOrder}::text[], status)`;
  const { numAffectedRows } = await sql`
    update pentest set status = case when ${isForward} then ${change.status} else status end,
      started_at = ${change.isStart ? sql`coalesce(started_at, service_now())` : sql`started_at`}
    where id = ${id} and lease_epoch = ${epoch} and completed_at is null`.execute(queries);
  return numAffectedRows !== 0n;
}

/**
 * Counts a start with this key. Resolves to the number of starts and the time since the first. Forgets a key after a
 * day.
 */
export async function countStart(
  queries: Queries,
  { accountId, idempotencyKey }: { accountId: string; idempotencyKey: string },
): Promise<{ attempts: number; sinceMs: number }> {
  await sql`delete from sandbox_start where first_at < clock_timestamp() - interval '1 day'`.execute(queries);
  const { rows } = await sql<{ attempts: number; sinceMs: number }>`
    insert into sandbox_start as known (account_id, idempotency_key) values (${accountId}, ${idempotencyKey})
    on conflict (account_id, idempotency_key) do update set attempts = known.attempts + 1
    returning attempts, extract(epoch from clock_timestamp() - first_at)::float8 * 1000 as "sinceMs"`.execute(queries);
  const [counted] = rows;
  if (!counted) throw new Error('the database counted no start');
  return counted;
}
