import { requireAccount } from '../accounts/accounts.ts';
import type { ModelSetting, ModelSettings } from '../billing/model-settings.ts';
import type { Database } from '../db/database.ts';
import type { TakenPentest } from '../pentests/pentests.ts';

/** Resolves to the model of a run; null if none is configured for its depth, or if its account forbids it. */
export async function chooseModel(
  { queries }: Database,
  { byDepth }: ModelSettings,
  { accountId, depth }: TakenPentest,
): Promise<ModelSetting | null> {
  const model = byDepth[depth] ?? null;
  if (!model?.isExternal) return model;
  const { externalModels } = await requireAccount(queries, accountId);
  return externalModels ? model : null;
}
