import type { Depth } from '@sortie/contract';
import { type Selectable, sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

export type ReviewState = Selectable<Schema['report_review']>['state'];

export interface Review {
  /** The id of the run. */
  id: string;
  accountId: string;
  targetUrl: string;
  depth: Depth;
  state: ReviewState;
  /** The reviewer who has taken it and possibly decided; null while it waits. */
  reviewerId: string | null;
  createdAt: Date;
  takenAt: Date | null;
  decidedAt: Date | null;
}

function fromReviews(queries: Queries) {
  return queries
    .selectFrom('report_review')
    .innerJoin('pentest', 'pentest.id', 'report_review.pentest_id')
    .select(['pentest.id', 'pentest.account_id as accountId', 'pentest.target_url as targetUrl', 'pentest.depth'])
    .select(['report_review.state', 'report_review.reviewer_id as reviewerId'])
    .select(['report_review.created_at as createdAt', 'report_review.taken_at as takenAt'])
    .select('report_review.decided_at as decidedAt');
}

/** Resolves to the review of the run; undefined if it has none. */
export function selectReview(queries: Queries, id: string): Promise<Review | undefined> {
  return fromReviews(queries).where('pentest_id', '=', id).executeTakeFirst();
}

/** Resolves to what only the reviewer needs and lists omit. Throws if the run has no review. */
export function selectContents(queries: Queries, id: string) {
  return queries
    .selectFrom('report_review')
    .innerJoin('pentest', 'pentest.id', 'report_review.pentest_id')
    .select(['pentest.started_at as startedAt', 'pentest.completed_at as completedAt', 'pentest.summary'])
    .select('report_review.notes')
    .where('report_review.pentest_id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Resolves to the reviews in these states, longest waiting first. */
export function selectReviews(
  queries: Queries,
  { states, limit }: { states: readonly ReviewState[]; limit: number },
): Promise<Review[]> {
  return fromReviews(queries)
    .where('report_review.state', 'in', states)
    .orderBy('report_review.created_at')
    .orderBy('report_review.pentest_id')
    .limit(limit)
    .execute();
}

const now = sql<Date>`service_now()`;

/** Assigns the report to the reviewer from now on, also in place of another one. */
export async function markTaken(tx: Transaction, id: string, reviewerId: string): Promise<void> {
  await tx
    .updateTable('report_review')
    .set({ state: 'TAKEN', reviewer_id: reviewerId, taken_at: now })
    .where('pentest_id', '=', id)
    .execute();
}

/** Stores the final decision or the rejection, with its time. */
export async function markDecided(tx: Transaction, id: string, state: 'SIGNED_OFF' | 'REJECTED'): Promise<void> {
  await tx.updateTable('report_review').set({ state, decided_at: now }).where('pentest_id', '=', id).execute();
}

/** Returns the report to the queue, without a reviewer or a decision. */
export async function markWaiting(tx: Transaction, id: string): Promise<void> {
  await tx
    .updateTable('report_review')
    .set({ state: 'WAITING', reviewer_id: null, taken_at: null, decided_at: null })
    .where('pentest_id', '=', id)
    .execute();
}

/** Appends a line to the staff's notes on the report. */
export async function appendNote(tx: Transaction, id: string, note: string): Promise<void> {
  await tx
    .updateTable('report_review')
    .set({ notes: sql<string>`case notes when '' then ${note} else notes || E'\n' || ${note} end` })
    .where('pentest_id', '=', id)
    .execute();
}
