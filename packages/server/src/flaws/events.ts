import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import { type Site, siteColumn } from './sightings.ts';

export type DecidedState = 'OPEN' | 'ACCEPTED' | 'FALSE_POSITIVE';

export interface FlawEvent extends Site {
  id: number;
  at: Date;
  userId: string;
  kind: 'STATE' | 'ASSIGNEE' | 'NOTE';
  state: DecidedState | null;
  /** Null in lists. */
  text: string | null;
  acceptedUntil: Date | null;
  assigneeId: string | null;
  fingerprints: string[];
}

/**
 * Resolves to the events of the targets, oldest first. Reads the texts, which can be long, only if `only` names a site.
 */
export async function selectEvents(
  queries: Queries,
  accountId: string,
  { targetIds, only }: { targetIds: readonly string[]; only: Site | undefined },
): Promise<FlawEvent[]> {
  if (targetIds.length === 0) return [];
  const text = only ? sql.ref<string | null>('text') : sql<null>`null`;
  return queries
    .selectFrom('flaw_event')
    .select(['id', 'created_at as at', 'user_id as userId', 'kind', 'state', 'target_id as targetId', 'site'])
    .select(text.as('text'))
    .select(['accepted_until as acceptedUntil', 'assignee_id as assigneeId', 'fingerprints'])
    .where('account_id', '=', accountId)
    .where((is) => is('target_id', '=', is.fn.any(is.val(targetIds))))
    .$if(only !== undefined, (query) => query.where('site', '=', only?.site ?? ''))
    .orderBy('id')
    .execute();
}

export interface NewEvent extends Site {
  accountId: string;
  userId: string;
  findingId: string;
  fingerprints: readonly string[];
  kind: FlawEvent['kind'];
  state?: DecidedState;
  text?: string;
  acceptedUntil?: Date;
  assigneeId?: string | null;
}

/** Inserts an event of a finding, which never changes afterwards. */
export async function insertEvent(tx: Transaction, event: NewEvent): Promise<void> {
  const { accountId, userId, findingId, targetId, site, fingerprints, kind, state, text, acceptedUntil, assigneeId } =
    event;
  await tx
    .insertInto('flaw_event')
    .values({
      account_id: accountId,
      target_id: targetId,
      site,
      finding_id: findingId,
      fingerprints: [...fingerprints],
      kind,
      state: state ?? null,
      text: text ?? null,
      accepted_until: acceptedUntil ?? null,
      assignee_id: assigneeId ?? null,
      user_id: userId,
    })
    .execute();
}

/** Resolves to the names of users by id, former members included. */
export async function selectNames(queries: Queries, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .selectFrom('identity.user')
    .select(['id', 'name'])
    .where((is) => is('id', '=', is.fn.any(is.val([...new Set(ids)]))))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Resolves to the site of a finding, even if its report is not released; callers must not reveal that. */
export function selectSiteOf(queries: Queries, accountId: string, findingId: string): Promise<Site | undefined> {
  return queries
    .selectFrom('pentest_finding')
    .innerJoin('pentest', 'pentest.id', 'pentest_finding.pentest_id')
    .select(['pentest.target_id as targetId', siteColumn.as('site')])
    .where('pentest_finding.id', '=', findingId)
    .where('pentest.account_id', '=', accountId)
    .executeTakeFirst();
}
