import { z } from 'zod';

export const FindingCounts = z
  .object({
    critical: z.int().describe('Findings of severity CRITICAL.'),
    high: z.int().describe('Findings of severity HIGH.'),
    medium: z.int().describe('Findings of severity MEDIUM.'),
    low: z.int().describe('Findings of severity LOW.'),
    info: z.int().describe('Findings of severity INFO.'),
    total: z.int().describe('All findings.'),
  })
  .describe('How many findings there are of each severity.')
  .meta({ id: 'FindingCounts' });
export type FindingCounts = z.infer<typeof FindingCounts>;
