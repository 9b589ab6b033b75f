import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';

/** The actor of the operator commands; a member is named by user id instead. */
export const OPERATOR = 'operator';

type Detail = string | number | boolean | null | readonly string[];

/** Plain values only, so that neither a `Secret` nor an object with one can be recorded. */
type AuditDetails = Readonly<Record<string, Detail>>;

export interface AuditRecord {
  /** `operator`, or the id of the user who made the change. */
  actor: string;
  /** The subject's kind and a verb in the past tense: `account.suspended`. */
  action: string;
  accountId: string | null;
  /** The id of the changed object. */
  subject: string;
  /** The log cannot be deleted from, so details must contain neither secrets nor personal data, only ids. */
  details?: AuditDetails;
}

/** A stored record of the audit log. */
export interface AuditEntry extends Required<AuditRecord> {
  id: number;
  at: Date;
}

/** Writes a record. Must run in the transaction of the change, so that neither exists without the other. */
export async function recordAudit(tx: Transaction, record: AuditRecord): Promise<void> {
  const { actor, action, accountId, subject, details = {} } = record;
  await tx
    .insertInto('audit_entry')
    .values({ actor, action, account_id: accountId, subject, details: JSON.stringify(details) })
    .execute();
}

interface AuditQuestion {
  accountId?: string | undefined;
  /** An action, or with a final dot all actions of a kind. */
  action?: string | undefined;
  actor?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Kinds of actions to leave out, each with a final dot. */
  hidden?: readonly string[];
  /** The newest come first by default. */
  order?: 'newest' | 'oldest';
  limit: number;
  offset?: number;
}

/** Resolves to the matching records of the audit log, newest first unless `order` says otherwise. */
export async function listAudit(queries: Queries, question: AuditQuestion): Promise<AuditEntry[]> {
  const { accountId, action, actor, from, to, hidden = [], order = 'newest', limit, offset = 0 } = question;
  let query = queries
    .selectFrom('audit_entry')
    .select(['id', 'at', 'actor', 'action', 'account_id as accountId', 'subject', 'details'])
    .orderBy('id', order === 'newest' ? 'desc' : 'asc')
    .limit(limit)
    .offset(offset);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (actor !== undefined) query = query.where('actor', '=', actor);
  if (from !== undefined) query = query.where('at', '>=', from);
  if (to !== undefined) query = query.where('at', '<', to);
  if (action?.endsWith('.')) query = query.where(sql<boolean>`starts_with(action, ${action})`);
  else if (action !== undefined) query = query.where('action', '=', action);
  for (const kind of hidden) query = query.where(sql<boolean>`not starts_with(action, ${kind})`);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, details: row.details as AuditDetails }));
}
