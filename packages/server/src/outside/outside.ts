import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { namesOfRun, type OutsideCall, type OutsideOrder } from '@sortie/engine';
import { sql } from 'kysely';
import type { Database, Queries } from '../db/database.ts';
import type { ServiceKey } from '../secrets/service-secrets.ts';

/** A listener announces itself more often than this. */
const SILENT_AFTER_SECONDS = 60;
/** How long to wait for a target's callback. */
const PATIENCE_MS = 5_000;
/** Longer than any run. Callbacks that prove a finding are stored with it. */
const KEPT_DAYS = 7;

export interface ListenerPlace {
  url: string;
  zone: string | null;
}

/** Derives the key that seals callback names. It is the same on all nodes of a database. */
export function listenerKeyOf({ key }: ServiceKey): KeyObject {
  return createSecretKey(createHmac('sha256', key).update('sortie listener').digest());
}

/**
 * Derives the key with which the engine seals secrets in the saved state of a run. It is the same for every attempt.
 */
export function stateKeyOf(listenerKey: KeyObject, runId: string): string {
  return createHmac('sha256', listenerKey).update(`engine state ${runId}`).digest('base64url');
}

/** Records that this node listens for callbacks, for the runs of all nodes. */
export async function announceListener(queries: Queries, { url, zone }: ListenerPlace): Promise<void> {
  await queries
    .insertInto('listener')
    .values({ url, zone })
    .onConflict((conflict) => conflict.column('url').doUpdateSet({ zone, seen_at: sql<Date>`clock_timestamp()` }))
    .execute();
}

/** Records that the node no longer listens for callbacks. */
export async function withdrawListener(queries: Queries, { url }: ListenerPlace): Promise<void> {
  await queries.deleteFrom('listener').where('url', '=', url).execute();
}

/** Resolves to the address of the active listener for a run; null if there is none. */
export async function findOutside(queries: Queries, key: KeyObject, runId: string): Promise<OutsideOrder | null> {
  const place = await queries
    .selectFrom('listener')
    .select(['url', 'zone'])
    .where('seen_at', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${SILENT_AFTER_SECONDS})`)
    .orderBy('url')
    .limit(1)
    .executeTakeFirst();
  return place ? { ...namesOfRun(key, runId), ...place, patienceMs: PATIENCE_MS } : null;
}

/** Stores a callback. Idempotent. */
export async function recordCall(queries: Queries, call: Omit<OutsideCall, 'at'>): Promise<void> {
  const { label, kind, detail, from: source } = call;
  await queries
    .insertInto('outside_call')
    .values({ label, kind, detail, source })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Resolves to the first callbacks of each name that belongs to the run. An engine must not see those of other runs. */
export async function findCalls(
  queries: Queries,
  { run }: Pick<OutsideOrder, 'run'>,
  labels: readonly string[],
): Promise<OutsideCall[]> {
  const own = labels.filter((label) => label.startsWith(run));
  if (own.length === 0) return [];
  const rows = await queries
    .selectFrom('outside_call')
    .selectAll()
    .where('label', 'in', own)
    .orderBy('heard_at')
    .limit(MOST_CALLS)
    .execute();
  return rows.map(({ label, kind, detail, source, heard_at }) => ({
    label,
    kind,
    detail,
    from: source,
    at: heard_at.toISOString(),
  }));
}

const MOST_CALLS = 1_000;

/** Deletes callbacks that no run needs any more. */
export async function deleteOldCalls({ queries }: Database): Promise<void> {
  await queries
    .deleteFrom('outside_call')
    .where('heard_at', '<=', sql<Date>`service_now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}
