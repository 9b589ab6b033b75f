import type { EngineScript } from '@sortie/engine';
import { requireAccount } from '../accounts/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Transaction } from '../db/database.ts';
import { requireTestEnvironment } from '../db/environment.ts';

/** Matches every account that has no script of its own. */
const ALL_ACCOUNTS = '*';

interface ScriptOrder {
  accountId: string | undefined;
  /** Null removes the script. */
  script: EngineScript | null;
  actor: string;
}

/**
 * Stores the script for the runs of an account. Applies to runs that a worker takes from now on; a run in progress
 * keeps its script.
 */
export async function orderScript(tx: Transaction, { accountId, script, actor }: ScriptOrder): Promise<void> {
  await requireTestEnvironment(tx, 'The engine plays scripts in the environment test only.');
  if (accountId !== undefined) await requireAccount(tx, accountId);
  const account_id = accountId ?? ALL_ACCOUNTS;
  if (script) await upsertScript(tx, account_id, JSON.stringify(script));
  else await tx.deleteFrom('engine_script').where('account_id', '=', account_id).execute();
  const details = { steps: script?.steps.length ?? null };
  await recordAudit(tx, {
    actor,
    action: 'engine.script-set',
    accountId: accountId ?? null,
    subject: account_id,
    details,
  });
}

async function upsertScript(tx: Transaction, account_id: string, script: string): Promise<void> {
  await tx
    .insertInto('engine_script')
    .values({ account_id, script })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ script }))
    .execute();
}
