import { Confidence, Severity } from '@sortie/contract';
import { z } from 'zod';

/** Long enough for any honest text; a hostile target must not fill the database. */
const shortText = z.string().max(1_000);
const longText = z.string().max(50_000);

export const PentestFinding = z.strictObject({
  title: shortText,
  description: longText.nullable(),
  severity: Severity,
  confidence: Confidence,
  affectedUrl: z.string().max(4_000).nullable(),
  remediation: longText.nullable(),
  cvssScore: z.number().min(0).max(10).multipleOf(0.1).nullable(),
  cwe: z.int().positive().nullable(),
  method: z.string().max(40).nullable(),
  parameter: shortText.nullable(),
  /** The same for the same finding in every run. */
  fingerprint: z.string().min(1).max(200),
});
export type PentestFinding = z.infer<typeof PentestFinding>;

export const ScanFinding = z.strictObject({
  checkId: z.string().min(1).max(100),
  title: shortText,
  description: longText,
  severity: Severity,
  confidence: Confidence,
  category: z.string().max(100),
  affectedUrl: z.string().max(4_000).nullable(),
  evidence: longText.nullable(),
  remediation: longText,
  cwe: z.int().positive().nullable(),
  scoreImpact: z.int().min(0).max(100),
  references: z.array(z.string().max(2_000)).max(20),
});
export type ScanFinding = z.infer<typeof ScanFinding>;
