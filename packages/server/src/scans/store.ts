import type { Scan } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';

interface NewScan {
  id: string;
  accountId: string;
  userId: string;
  apiKeyId: string | null;
  url: string;
  host: string;
  domain: string;
  algorithmVersion: number;
}

/** Inserts a scan that is not enqueued yet. */
export async function insertScan(tx: Transaction, scan: NewScan): Promise<void> {
  await tx
    .insertInto('scan')
    .values({
      id: scan.id,
      account_id: scan.accountId,
      user_id: scan.userId,
      api_key_id: scan.apiKeyId,
      url: scan.url,
      host: scan.host,
      domain: scan.domain,
      algorithm_version: scan.algorithmVersion,
    })
    .execute();
}

/**
 * Counts the account's scans since the beginning of the month (UTC), without those that ended before they were
 * enqueued.
 */
export async function countThisMonth(tx: Transaction, accountId: string): Promise<number> {
  const { scans } = await tx
    .selectFrom('scan')
    .select(({ fn }) => fn.countAll<number>().as('scans'))
    .where('account_id', '=', accountId)
    .where('created_at', '>=', sql<Date>`(select date_trunc('month', service_now(), 'UTC'))`)
    .where((is) => is.or([is('handed_over_at', 'is not', null), is('status', '=', 'STARTED')]))
    .executeTakeFirstOrThrow();
  return scans;
}

export type ScanRow = NonNullable<Awaited<ReturnType<typeof selectScan>>>;

function fromScans(queries: Queries) {
  return queries
    .selectFrom('scan')
    .select(['id', 'account_id as accountId', 'url', 'host', 'domain', 'status', 'score', 'grade'])
    .select(['algorithm_version as algorithmVersion', 'api_key_id as apiKeyId', 'created_at as createdAt'])
    .select(['checks_passed as passed', 'checks_failed as failed', 'checks_not_applicable as notApplicable'])
    .select(['checks_not_run as notRun', 'not_run_reasons as notRunReasons'])
    .select(['failure_code as failureCode', 'failure_message as failureMessage', 'completed_at as completedAt']);
}

/** Resolves to a scan of any account; undefined if there is none. */
export function selectScan(queries: Queries, id: string) {
  return fromScans(queries).where('id', '=', id).executeTakeFirst();
}

interface PageOfScans {
  accountId: string;
  /** Set if the caller may see only these hosts and their subdomains. */
  onlyHosts: readonly string[] | undefined;
  limit: number;
  offset: number;
}

/**
 * Resolves to one page of the account's scans, newest first. An IPv4 address has no subdomains, although it contains
 * dots.
 */
export function selectPage(queries: Queries, { accountId, onlyHosts, limit, offset }: PageOfScans) {
  const isReached = sql<boolean>`exists (
    select from unnest(${onlyHosts ?? []}::text[]) as assigned (host)
    where scan.host = assigned.host
      or (scan.host !~ '^[0-9.]+$' and right(scan.host, length(assigned.host) + 1) = '.' || assigned.host))`;
  return fromScans(queries)
    .where('account_id', '=', accountId)
    .$if(onlyHosts !== undefined, (query) => query.where(isReached))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Resolves to the starter and the host of a scan. Throws if there is none. */
export function selectOrigin(queries: Queries, id: string): Promise<{ starterId: string; host: string }> {
  return queries
    .selectFrom('scan')
    .select(['user_id as starterId', 'host'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Enqueues the scan. Does nothing if it is already enqueued or completed. */
export async function markHandedOver(tx: Transaction, id: string): Promise<void> {
  await tx
    .updateTable('scan')
    .set({ handed_over_at: sql<Date>`service_now()` })
    .where('id', '=', id)
    .where('status', '=', 'STARTED')
    .where('handed_over_at', 'is', null)
    .execute();
}

/** Completes a scan without a verdict, and records the reason. Does nothing if it is already completed. */
export async function markFailed(
  tx: Transaction,
  id: string,
  { code, message }: NonNullable<Scan['failure']>,
): Promise<void> {
  await tx
    .updateTable('scan')
    .set({
      status: 'COMPLETED',
      failure_code: code,
      failure_message: message,
      completed_at: sql<Date>`service_now()`,
    })
    .where('id', '=', id)
    .where('status', '=', 'STARTED')
    .execute();
}
