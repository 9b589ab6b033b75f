import type { Queries, Transaction } from '../db/database.ts';

/** Who operates the service through its own commands, as opposed to a member, who is named by user id. */
export const OPERATOR = 'operator';

type Detail = string | number | boolean | null | readonly string[];

/** Plain values only: neither a `Secret` nor the object that contains one fits in here. */
type AuditDetails = Readonly<Record<string, Detail>>;

export interface AuditRecord {
  /** `operator`, or the id of the user who made the change. */
  actor: string;
  /** What happened to what, in the past tense: `account.suspended`. */
  action: string;
  accountId: string | null;
  /** The id of what was changed. */
  subject: string;
  /** Nobody can delete from the log: neither secrets nor personal data belong in here, ids do. */
  details?: AuditDetails;
}

export interface AuditEntry extends Required<AuditRecord> {
  id: number;
  at: Date;
}

/** Takes the transaction of the change itself, so that neither exists without the other. */
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
