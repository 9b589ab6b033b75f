import type { Depth } from '@sortie/contract';
import type { ModelSetting } from '../billing/model-settings.ts';
import { readModelSettings } from '../config/config.ts';
import { AppError } from '../errors/app-error.ts';
import { checkModel, type ModelCheck } from '../models/models.ts';

/** The outcome of a trial call to each configured model. */
export interface ModelsCheck {
  /** The date of the configured prices. */
  pricesAsOf: string | null;
  models: (ModelCheck & { depths: Depth[] })[];
}

/** Sends one small call to each model of this node's settings. Needs no running server. */
export async function checkModels(
  variables?: NodeJS.ProcessEnv,
  signal = new AbortController().signal,
): Promise<ModelsCheck> {
  const { byDepth, pricesAsOf } = readModelSettings(variables);
  const chosen = new Map<ModelSetting, Depth[]>();
  for (const [depth, setting] of Object.entries(byDepth) as [Depth, ModelSetting][]) {
    chosen.set(setting, [...(chosen.get(setting) ?? []), depth]);
  }
  if (chosen.size === 0) {
    const message =
      'No model is configured on this node. Set SORTIE_MODEL_PROVIDER and the other SORTIE_MODEL_* variables.';
    throw new AppError('NOT_FOUND', { message });
  }
  const check = async ([setting, depths]: [ModelSetting, Depth[]]) => ({
    ...(await checkModel(setting, signal)),
    depths,
  });
  return { pricesAsOf, models: await Promise.all([...chosen].map(check)) };
}
