import { z } from 'zod';
import { FindingCounts } from './finding-counts.ts';
import { NextOffset, pageQuery } from './query.ts';
import { Confidence, Severity, severityQuery } from './severity.ts';
import { scanUrl } from './target-url.ts';
import { Timestamp } from './timestamp.ts';

const ScanStatus = z.enum(['STARTED', 'COMPLETED']).meta({ id: 'ScanStatus' });

export const StartScan = z
  .strictObject({ url: scanUrl.describe('The URL to scan. A bare domain means https://<domain>/.') })
  .meta({ id: 'StartScan', examples: [{ url: 'https://www.example.com/' }] });

export const StartScanResponse = z
  .object({ id: z.string(), domain: z.string(), status: ScanStatus })
  .meta({ id: 'StartScanResponse' });

const CheckCounts = z.object({ run: z.int(), passed: z.int(), failed: z.int(), notRun: z.int() });

export const Scan = z
  .object({
    id: z.string(),
    url: z.string(),
    domain: z.string().describe('The registrable domain, or the host itself for an IP address.'),
    status: ScanStatus,
    score: z.int().min(0).max(100).nullable().describe('Null until completed, and when `failure` says why.'),
    grade: z.enum(['A+', 'A', 'B', 'C', 'D', 'F']).nullable(),
    algorithmVersion: z.int().describe('The version of the scoring rules.'),
    findingCounts: FindingCounts.nullable(),
    checks: CheckCounts.nullable(),
    apiKeyId: z.string().nullable(),
    failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: Timestamp,
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Scan' });
export type Scan = z.infer<typeof Scan>;

export const ListScansResponse = z
  .object({ scans: z.array(Scan).describe('Newest first.'), nextOffset: NextOffset })
  .describe('One page of scans.')
  .meta({ id: 'ListScansResponse' });
export type ListScansResponse = z.infer<typeof ListScansResponse>;

export const listScansQuery = { ...pageQuery };

const ScanFinding = z
  .object({
    id: z.string(),
    checkId: z.string(),
    title: z.string(),
    description: z.string(),
    severity: Severity,
    confidence: Confidence,
    category: z.string(),
    affectedUrl: z.string().nullable(),
    evidence: z.string().nullable(),
    remediation: z.string(),
    cweId: z.string().nullable(),
    scoreImpact: z.int().describe('What this finding took from 100; all of them add up to 100 minus the score.'),
    references: z.array(z.string()),
  })
  .meta({ id: 'ScanFinding' });

export const ScanFindingsResponse = z
  .object({
    id: z.string(),
    status: ScanStatus,
    total: z.int().nullable().describe('Null until the scan is completed, and when it could not be judged.'),
    nextOffset: NextOffset,
    findings: z.array(ScanFinding).describe('Worst first.'),
  })
  .meta({ id: 'ScanFindingsResponse' });
export type ScanFindingsResponse = z.infer<typeof ScanFindingsResponse>;

export const findingsQuery = { severity: severityQuery, ...pageQuery };
