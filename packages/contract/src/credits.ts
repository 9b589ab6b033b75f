import { z } from 'zod';
import { depths } from './depth.ts';
import { instantQuery, NextOffset, pageQuery } from './query.ts';
import { Timestamp } from './timestamp.ts';

/** Where credits come from. */
export const creditSources = ['plan', 'purchased'] as const;
export type CreditSource = (typeof creditSources)[number];

/** The parts of a run that are charged separately. */
export const creditParts = ['testing', 'review'] as const;
export type CreditPart = (typeof creditParts)[number];

/** Operations on the credits of an account. */
const usageTypes = ['GRANT', 'HOLD', 'CHARGE', 'RETURN', 'EXPIRE', 'ADJUST'] as const;
export type UsageType = (typeof usageTypes)[number];

export const CreditCap = z
  .object({
    limit: z.int().describe('Credits that may be spent in the month.'),
    used: z.int().describe('Reserved minus returned, of the runs started in this calendar month (UTC).'),
    remaining: z.int().describe('Credits left in the month; never below 0.'),
    resetsAt: Timestamp.describe('When the next month begins.'),
  })
  .describe('A monthly cap on credits.')
  .meta({ id: 'CreditCap' });

export const CreditsBalance = z
  .object({
    available: z.int().describe('Unexpired credits that no run holds: plan + purchased.'),
    held: z.int().describe('Credits held by runs that are not settled yet.'),
    plan: z.int().describe('Available credits of the plan.'),
    purchased: z.int().describe('Available credits that were purchased.'),
    nextExpiry: z
      .object({ credits: z.int().describe('How many credits expire.'), at: Timestamp.describe('When they expire.') })
      .nullable()
      .describe('Null when nothing expires.'),
    keyBudget: CreditCap.nullable().describe('Null when this key has no budget.'),
    memberAllowance: CreditCap.nullable().describe("Null when the key's creator has no allowance."),
  })
  .describe('The credits of the account.')
  .meta({ id: 'CreditsBalance' });

export type CreditsBalance = z.infer<typeof CreditsBalance>;

export const UsageRecord = z
  .object({
    id: z.string().describe('Id of the record.'),
    type: z.enum(usageTypes).describe('What happened to the credits.'),
    credits: z.int().describe('Positive for GRANT and RETURN, negative for HOLD, CHARGE and EXPIRE.'),
    part: z
      .enum(creditParts)
      .nullable()
      .describe('The part of a run: testing or expert review; null for records of no run.'),
    pentestId: z.string().nullable().describe('The run; null for records of no run, and for retests.'),
    apiKeyId: z
      .string()
      .nullable()
      .describe('The key that started the run; null for dashboard runs and records of no run.'),
    description: z.string().describe('For people; may change.'),
    createdAt: Timestamp.describe('When it happened.'),
    balanceAfter: z
      .object({
        available: z.int().describe('Available credits afterwards.'),
        held: z.int().describe('Held credits afterwards.'),
      })
      .describe('The balance after the operation.'),
  })
  .describe('One operation on the credits of the account.')
  .meta({ id: 'UsageRecord' });

export type UsageRecord = z.infer<typeof UsageRecord>;

export const CreditsUsage = z
  .object({ usage: z.array(UsageRecord).describe('Newest first.'), nextOffset: NextOffset })
  .describe('One page of the credit history.')
  .meta({ id: 'CreditsUsage' });

export type CreditsUsage = z.infer<typeof CreditsUsage>;

const instantRule = 'A date stands for its first moment in UTC. Write the + of a time zone as %2B.';

export const usageQuery = {
  apiKeyId: z.string().optional().describe('Only records of runs started with this key.'),
  pentestId: z.string().optional().describe('Only records of this run.'),
  from: instantQuery.describe(`Only records from this instant on. ${instantRule}`),
  to: instantQuery.describe(`Only records before this instant. ${instantRule}`),
  ...pageQuery,
};

export const LevelsResponse = z
  .object({
    levels: z
      .array(
        z
          .object({
            depth: z.enum(depths).describe('Value of `depth` in a start.'),
            name: z.string().describe('Display name.'),
            credits: z.int().describe('Credits held when a run of this level starts.'),
            reviewCredits: z.int().describe('The part of `credits` that pays for expert review.'),
            expertReview: z.boolean().describe('Whether a reviewer signs the report off.'),
            api: z.boolean().describe('Whether a run of this level can be started through the API.'),
            maxMinutes: z.int().describe('How long a run takes at most.'),
          })
          .describe('Price and limits of a level.')
          .meta({ id: 'Level' }),
      )
      .describe('Cheapest first.'),
  })
  .describe('All levels.')
  .meta({ id: 'LevelsResponse' });

export type LevelsResponse = z.infer<typeof LevelsResponse>;
