import type { EngineScript } from '@sortie/engine';
import { requireAccount } from '../accounts/accounts.ts';
import { AppError } from '../app-error.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Transaction } from '../db/database.ts';

/** Stands for every account that has no script of its own. */
const ALL_ACCOUNTS = '*';

interface ScriptOrder {
  accountId: string | undefined;
  /** Null takes the order back. */
  script: EngineScript | null;
  actor: string;
}

/** For runs that are picked up from now on; one that has begun keeps what it began with. */
export async function orderScript(tx: Transaction, { accountId, script, actor }: ScriptOrder): Promise<void> {
  const { environment } = await tx.selectFrom('service').select('environment').executeTakeFirstOrThrow();
  if (environment !== 'test') {
    throw new AppError('FORBIDDEN', { message: 'The engine plays scripts in the environment test only.' });
  }
  if (accountId !== undefined) await requireAccount(tx, accountId);
  const account_id = accountId ?? ALL_ACCOUNTS;
  await tx.deleteFrom('engine_script').where('account_id', '=', account_id).execute();
  if (script)
    await tx
      .insertInto('engine_script')
      .values({ account_id, script: JSON.stringify(script) })
      .execute();
  const details = { steps: script?.steps.length ?? null };
  await recordAudit(tx, {
    actor,
    action: 'engine.script-set',
    accountId: accountId ?? null,
    subject: account_id,
    details,
  });
}
