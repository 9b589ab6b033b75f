import { z } from 'zod';
import { ScanFinding, shortText } from './finding.ts';
import { meter } from './phase.ts';

const ScanJudgement = z.strictObject({
  score: z.int().min(0).max(100),
  grade: z.enum(['A+', 'A', 'B', 'C', 'D', 'F']),
  /** `notApplicable` is undefined in scripts that do not set it. */
  checks: z.strictObject({ passed: meter, failed: meter, notApplicable: meter.optional(), notRun: meter }),
  /** Checks without a verdict, each with its reason: evidence is missing, or another failure explains the result. */
  notRun: z
    .array(z.strictObject({ checkId: shortText, reason: shortText }))
    .max(500)
    .optional(),
  findings: z.array(ScanFinding).max(500),
});

/** Why the site could not be scored. */
const ScanFailure = z.strictObject({
  failure: z.strictObject({ code: z.string().regex(/^[A-Z_]{1,50}$/), message: shortText }),
});

/** What the checks say about a site, or why it could not be scanned. */
export const ScanResult = z.union([ScanJudgement, ScanFailure]);
export type ScanResult = z.infer<typeof ScanResult>;
