import { readFileSync } from 'node:fs';
import { depths } from '@sortie/contract';
import { z } from 'zod';

/** A finished pentest is charged at least this much, so no level may cost less. */
export const MINIMUM_CHARGE = 100;

const Level = z
  .strictObject({
    name: z.string().min(1),
    credits: z.int().positive(),
    reviewCredits: z.int().nonnegative(),
    api: z.boolean(),
    maxMinutes: z.int().positive(),
    maxRequests: z.int().positive(),
    modelBudgetDollars: z.number().positive(),
  })
  .refine(({ credits, reviewCredits }) => credits - reviewCredits >= MINIMUM_CHARGE, {
    error: `the testing share (credits - reviewCredits) must be at least ${MINIMUM_CHARGE}`,
  });

const Plan = z.strictObject({
  monthlyCredits: z.int().nonnegative(),
  scansPerMonth: z.int().nonnegative().nullable().describe('null: unlimited'),
  concurrentPentests: z.int().nonnegative(),
});

const CatalogueFile = z.strictObject({
  levels: z.partialRecord(z.enum(depths), Level).default({}),
  plans: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,30}$/), Plan).default({}),
});

export type Level = z.infer<typeof Level>;
export type Plan = z.infer<typeof Plan>;

/** What the service sells: the levels of a pentest and the plans of an account. */
export interface Catalogue {
  levels: Record<(typeof depths)[number], Level>;
  plans: Record<string, Plan>;
}

export const DEFAULT_PLAN = 'free';

export const defaultCatalogue: Catalogue = {
  levels: {
    LEAD: level('Light', 400, 0, true, 30, 3_000, 1),
    STANDARD: level('Standard', 2_000, 500, true, 3 * 60, 25_000, 15),
    DEEP: level('Deep', 6_000, 1_500, true, 8 * 60, 100_000, 60),
    EXTENDED: level('Extended', 12_000, 3_000, false, 16 * 60, 200_000, 120),
    MAXIMUM: level('Maximum', 25_000, 6_000, false, 36 * 60, 500_000, 300),
  },
  plans: {
    [DEFAULT_PLAN]: { monthlyCredits: 0, scansPerMonth: 100, concurrentPentests: 3 },
    team: { monthlyCredits: 5_000, scansPerMonth: 1_000, concurrentPentests: 5 },
    business: { monthlyCredits: 25_000, scansPerMonth: null, concurrentPentests: 10 },
  },
};

function level(
  name: string,
  credits: number,
  reviewCredits: number,
  api: boolean,
  maxMinutes: number,
  maxRequests: number,
  modelBudgetDollars: number,
): Level {
  return { name, credits, reviewCredits, api, maxMinutes, maxRequests, modelBudgetDollars };
}

/** The default catalogue with the operator's own levels and plans laid over it. */
export function readCatalogue(file: string | undefined): Catalogue {
  if (file === undefined) return defaultCatalogue;
  const changes = CatalogueFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  return {
    levels: { ...defaultCatalogue.levels, ...changes.levels } as Catalogue['levels'],
    plans: { ...defaultCatalogue.plans, ...changes.plans },
  };
}
