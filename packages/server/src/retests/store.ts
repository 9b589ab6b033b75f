import type { Retest } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';

interface NewRetest {
  id: string;
  accountId: string;
  targetId: string;
  pentestId: string;
  userId: string;
  findingIds: readonly string[];
}

/** Inserts a retest that waits for a worker, with its findings in the order of the request. */
export async function insertRetest(tx: Transaction, retest: NewRetest): Promise<void> {
  const { id, accountId, targetId, pentestId, userId, findingIds } = retest;
  await tx
    .insertInto('retest')
    .values({ id, account_id: accountId, target_id: targetId, pentest_id: pentestId, user_id: userId })
    .execute();
  const rows = findingIds.map((findingId, position) => ({ retest_id: id, position, finding_id: findingId }));
  await tx.insertInto('retest_finding').values(rows).execute();
}

/** Resolves to the seconds until the target may be retested again; 0 if the limit per hour is not reached. */
export async function secondsUntilNext(tx: Transaction, targetId: string, mostPerHour: number): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from asked_at + interval '1 hour' - clock_timestamp()))::integer as seconds
      from retest where target_id = ${targetId} and asked_at > clock_timestamp() - interval '1 hour'
     order by asked_at desc offset ${mostPerHour - 1} limit 1`.execute(tx);
  return Math.max(0, rows[0]?.seconds ?? 0);
}

/** Resolves to one of the findings that already waits for a retest; undefined if none does. */
export function selectWaiting(tx: Transaction, findingIds: readonly string[]): Promise<{ id: string } | undefined> {
  return tx
    .selectFrom('retest_finding')
    .innerJoin('retest', 'retest.id', 'retest_finding.retest_id')
    .select('retest_finding.finding_id as id')
    .where('retest.completed_at', 'is', null)
    .where('retest_finding.outcome', 'is', null)
    .where('retest_finding.finding_id', 'in', findingIds)
    .limit(1)
    .executeTakeFirst();
}

/** Ends a retest, or all of an account. Findings without an outcome become void, for this reason. */
export async function endRetests(
  tx: Transaction,
  which: { id: string } | { accountId: string },
  reason: string,
): Promise<void> {
  const chosen = 'id' in which ? sql`id = ${which.id}` : sql`account_id = ${which.accountId}`;
  await sql`
    with ended as (
      update retest set completed_at = service_now(), lease_until = null, lease_epoch = lease_epoch + 1,
        engine_state = null
      where ${chosen} and completed_at is null returning id)
    update retest_finding set outcome = 'VOID', reason = ${reason}, places = '[]', tested_at = service_now()
    where retest_id in (select id from ended) and outcome is null`.execute(tx);
}

const requested = [
  'retest.id',
  'retest.pentest_id as runId',
  'retest.user_id as userId',
  'retest.created_at as createdAt',
  'retest.started_at as startedAt',
  'retest.completed_at as completedAt',
] as const;

const judged = [
  'retest_finding.outcome',
  'retest_finding.reason',
  'retest_finding.places',
  'retest_finding.tested_at as testedAt',
] as const;

/** Resolves to the account's retest without its findings; undefined if the account has none with this id. */
export async function selectRetest(queries: Queries, accountId: string, id: string) {
  return queries
    .selectFrom('retest')
    .select(requested)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Resolves to the findings of a retest in the order of the request, with their outcomes so far. */
export function selectRetested(queries: Queries, retestId: string) {
  return queries
    .selectFrom('retest_finding')
    .innerJoin('pentest_finding', 'pentest_finding.id', 'retest_finding.finding_id')
    .select(['finding_id as findingId', 'title', 'severity', ...judged])
    .where('retest_id', '=', retestId)
    .orderBy('retest_finding.position')
    .execute();
}

/** Resolves to the retests of any of the findings, newest first. */
export function selectRetestsOf(queries: Queries, findingIds: readonly string[]) {
  return queries
    .selectFrom('retest_finding')
    .innerJoin('retest', 'retest.id', 'retest_finding.retest_id')
    .select([...requested, ...judged])
    .where('finding_id', 'in', findingIds)
    .orderBy('retest.created_at', 'desc')
    .orderBy('retest.id', 'desc')
    .limit(MOST_LISTED)
    .execute();
}

const MOST_LISTED = 100;

type RequestedRow = Awaited<ReturnType<typeof selectRetestsOf>>[number];

/** Returns a retest as the dashboard shows it. `names` maps user ids to names. */
export const toRequested = (
  {
    id,
    runId,
    userId,
    createdAt,
    startedAt,
    completedAt,
  }: Omit<RequestedRow, 'outcome' | 'reason' | 'places' | 'testedAt'>,
  names: ReadonlyMap<string, string>,
): Omit<Retest, 'findings'> => ({
  id,
  runId,
  by: { userId, name: names.get(userId) ?? 'Former member' },
  createdAt: createdAt.toISOString(),
  startedAt: startedAt?.toISOString() ?? null,
  completedAt: completedAt?.toISOString() ?? null,
});

export const toJudged = ({
  outcome,
  reason,
  places,
  testedAt,
}: Pick<RequestedRow, 'outcome' | 'reason' | 'places' | 'testedAt'>) => ({
  outcome,
  reason,
  places: places ?? [],
  testedAt: testedAt?.toISOString() ?? null,
});
