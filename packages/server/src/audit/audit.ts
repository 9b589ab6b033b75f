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

export interface AuditEntry extends Required<AuditRecord> {
  id: number;
  at: Date;
}

/** Must run in the transaction of the change itself, so that neither exists without the other. */
export async function recordAudit(tx: Transaction, record: AuditRecord): Promise<void> {
  const { actor, action, accountId, subject, details = {} } = record;
  await tx
    .insertInto('audit_entry')
    .values({ actor, action, account_id: accountId, subject, details: JSON.stringify(details) })
    .execute();
}

/** Newest first. */
export async function listAudit(
  queries: Queries,
  { accountId, limit }: { accountId?: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  let query = queries
    .selectFrom('audit_entry')
    .select(['id', 'at', 'actor', 'action', 'account_id as accountId', 'subject', 'details'])
    .orderBy('id', 'desc')
    .limit(limit);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, details: row.details as AuditDetails }));
}
