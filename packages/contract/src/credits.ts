import { z } from 'zod';
import { depths } from './depth.ts';
import { instantQuery, NextOffset, pageQuery } from './query.ts';
import { Timestamp } from './timestamp.ts';

export const creditSources = ['plan', 'purchased'] as const;
export type CreditSource = (typeof creditSources)[number];

export const creditParts = ['testing', 'review'] as const;
export type CreditPart = (typeof creditParts)[number];

const usageTypes = ['GRANT', 'HOLD', 'CHARGE', 'RETURN', 'EXPIRE', 'ADJUST'] as const;
export type UsageType = (typeof usageTypes)[number];

export const CreditCap = z
  .object({
    limit: z.int(),
    used: z.int().describe('Reserved minus returned, of the runs started in this calendar month (UTC).'),
    remaining: z.int(),
    resetsAt: Timestamp,
  })
  .meta({ id: 'CreditCap' });

export const CreditsBalance = z
  .object({
    available: z.int().describe('Unexpired credits that no run holds: plan + purchased.'),
    held: z.int().describe('Credits held by runs that are not settled yet.'),
    plan: z.int(),
    purchased: z.int(),
    nextExpiry: z.object({ credits: z.int(), at: Timestamp }).nullable().describe('Null when nothing expires.'),
    keyBudget: CreditCap.nullable().describe('Null when this key has no budget.'),
    memberAllowance: CreditCap.nullable().describe("Null when the key's creator has no allowance."),
  })
  .meta({ id: 'CreditsBalance' });

export type CreditsBalance = z.infer<typeof CreditsBalance>;

export const UsageRecord = z
  .object({
    id: z.string(),
    type: z.enum(usageTypes),
    credits: z.int().describe('Positive for GRANT and RETURN, negative for HOLD, CHARGE and EXPIRE.'),
    part: z.enum(creditParts).nullable(),
    pentestId: z.string().nullable(),
    apiKeyId: z.string().nullable(),
    description: z.string(),
    createdAt: Timestamp,
    balanceAfter: z.object({ available: z.int(), held: z.int() }),
  })
  .meta({ id: 'UsageRecord' });

export type UsageRecord = z.infer<typeof UsageRecord>;

export const CreditsUsage = z
  .object({ usage: z.array(UsageRecord), nextOffset: NextOffset })
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
    levels: z.array(
      z
        .object({
          depth: z.enum(depths),
          name: z.string(),
          credits: z.int().describe('Held when a run of this level starts.'),
          reviewCredits: z.int().describe('The part of `credits` that pays for expert review.'),
          expertReview: z.boolean(),
          api: z.boolean().describe('Whether a run of this level can be started through the API.'),
          maxMinutes: z.int(),
        })
        .meta({ id: 'Level' }),
    ),
  })
  .meta({ id: 'LevelsResponse' });

export type LevelsResponse = z.infer<typeof LevelsResponse>;
