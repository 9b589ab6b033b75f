import { depths } from '@sortie/contract';
import { z } from 'zod';
import { readGivenFile } from '../errors/read-given-file.ts';
import { StartupError } from '../errors/startup-error.ts';
import { toLine } from '../platform/to-line.ts';

/** The least charge for a finished pentest, so no level may cost less. */
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

type Level = z.infer<typeof Level>;
type Plan = z.infer<typeof Plan>;

/** The products of the service: the levels of pentests and the plans of accounts. */
export interface Catalogue {
  levels: Record<(typeof depths)[number], Level>;
  plans: Record<string, Plan>;
}

export const DEFAULT_PLAN = 'free';

/** The levels and plans that apply unless the operator configures others. */
export const defaultCatalogue: Catalogue = {
  levels: {
    LEAD: {
      name: 'Light',
      credits: 400,
      reviewCredits: 0,
      api: true,
      maxMinutes: 30,
      maxRequests: 3_000,
      modelBudgetDollars: 1,
    },
    STANDARD: {
      name: 'Standard',
      credits: 2_000,
      reviewCredits: 500,
      api: true,
      maxMinutes: 3 * 60,
      maxRequests: 25_000,
      modelBudgetDollars: 15,
    },
    DEEP: {
      name: 'Deep',
      credits: 6_000,
      reviewCredits: 1_500,
      api: true,
      maxMinutes: 8 * 60,
      maxRequests: 100_000,
      modelBudgetDollars: 60,
    },
    EXTENDED: {
      name: 'Extended',
      credits: 12_000,
      reviewCredits: 3_000,
      api: false,
      maxMinutes: 16 * 60,
      maxRequests: 200_000,
      modelBudgetDollars: 120,
    },
    MAXIMUM: {
      name: 'Maximum',
      credits: 25_000,
      reviewCredits: 6_000,
      api: false,
      maxMinutes: 36 * 60,
      maxRequests: 500_000,
      modelBudgetDollars: 300,
    },
  },
  plans: {
    [DEFAULT_PLAN]: { monthlyCredits: 0, scansPerMonth: 100, concurrentPentests: 3 },
    team: { monthlyCredits: 5_000, scansPerMonth: 1_000, concurrentPentests: 5 },
    business: { monthlyCredits: 25_000, scansPerMonth: null, concurrentPentests: 10 },
  },
};

/** Returns the account's plan, or the default plan if its plan is no longer in the catalogue. */
export function planOf({ plans }: Catalogue, name: string): Plan {
  const plan = plans[name] ?? plans[DEFAULT_PLAN];
  if (!plan) throw new Error('the catalogue has no default plan');
  return plan;
}

/** Returns the default catalogue, overridden by the operator's own levels and plans. */
export function readCatalogue(file: string | undefined): Catalogue {
  if (file === undefined) return defaultCatalogue;
  try {
    const changes = CatalogueFile.parse(JSON.parse(readGivenFile(file, 'SORTIE_CATALOGUE').toString()));
    return {
      levels: { ...defaultCatalogue.levels, ...changes.levels } as Catalogue['levels'],
      plans: { ...defaultCatalogue.plans, ...changes.plans },
    };
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(
      `The catalogue ${file} is invalid: ${toLine(reasonOf(cause))}. Correct the file of SORTIE_CATALOGUE.`,
      { cause },
    );
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message;
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
