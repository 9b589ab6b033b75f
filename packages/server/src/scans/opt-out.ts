import { recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';

interface Change {
  /** Host in canonical form, in which hosts are compared. */
  host: string;
  actor: string;
}

export interface OptOut {
  host: string;
  createdAt: Date;
}

/** Prevents future scans of the host and its subdomains. Idempotent. */
export async function addOptOut(tx: Transaction, { host, actor }: Change): Promise<OptOut> {
  const added = await tx
    .insertInto('scan_opt_out')
    .values({ host })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows) {
    await recordAudit(tx, { actor, action: 'scan_opt_out.added', accountId: null, subject: host });
  }
  return selectOptOuts(tx).where('host', '=', host).executeTakeFirstOrThrow();
}

/** Allows scans of a host, address or network again. Throws NOT_FOUND if it is not on the list. */
export async function removeOptOut(tx: Transaction, { host, actor }: Change): Promise<void> {
  const { numDeletedRows } = await tx.deleteFrom('scan_opt_out').where('host', '=', host).executeTakeFirst();
  if (numDeletedRows === 0n)
    throw new AppError('NOT_FOUND', {
      message: `${host} has not opted out. List the opt-outs with: npx sortie admin optout list`,
    });
  await recordAudit(tx, { actor, action: 'scan_opt_out.removed', accountId: null, subject: host });
}

/** Resolves to everything that has opted out of scans, by name. */
export const listOptOuts = (queries: Queries): Promise<OptOut[]> => selectOptOuts(queries).orderBy('host').execute();

const selectOptOuts = (queries: Queries) =>
  queries.selectFrom('scan_opt_out').select(['host', 'created_at as createdAt']);
