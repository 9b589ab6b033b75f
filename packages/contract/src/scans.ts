import { z } from 'zod';
import { FindingCounts } from './finding-counts.ts';
import { NextOffset, pageQuery } from './query.ts';
import { Confidence, Severity, severityQuery } from './severity.ts';
import { scanUrl } from './target-url.ts';
import { Timestamp } from './timestamp.ts';

const ScanStatus = z
  .enum(['STARTED', 'COMPLETED'])
  .describe('Every scan reaches COMPLETED.')
  .meta({ id: 'ScanStatus' });

export const StartScan = z
  .strictObject({ url: scanUrl.describe('The URL to scan. A bare domain means https://<domain>/.') })
  .describe('What to scan.')
  .meta({ id: 'StartScan', examples: [{ url: 'https://www.example.com/' }] });

export const StartScanResponse = z
  .object({
    id: z.string().describe('Id of the scan: keep it to poll.'),
    domain: z.string().describe('The registrable domain, or the host itself for an IP address.'),
    status: ScanStatus,
  })
  .describe('The started scan.')
  .meta({ id: 'StartScanResponse' });

const CheckCounts = z.object({
  run: z.int().describe('Checks that ran: passed and failed.'),
  passed: z.int().describe('Checks that found nothing.'),
  failed: z.int().describe('Checks with findings.'),
  notApplicable: z
    .int()
    .nullable()
    .describe(
      'Checks of something that the site does not have, such as cookies or mail servers. Null for a scan of an earlier release, which counts them as passed.',
    ),
  notRun: z.int().describe('Checks without a result; `notRunReasons` says why.'),
});

/** Upper bound for the number of checks in a scan. */
const MAX_REASONS = 500;

const NotRunReason = z
  .object({
    checkId: z.string().describe('The check that has no result.'),
    reason: z
      .string()
      .describe('Why: evidence is missing, or the failure of another check explains it. For people; may change.'),
  })
  .describe('Why a check of a scan has no result.')
  .meta({ id: 'NotRunReason' });

export const Scan = z
  .object({
    id: z.string().describe('Id of the scan.'),
    url: z.string().describe('The URL that is scanned.'),
    domain: z.string().describe('The registrable domain, or the host itself for an IP address.'),
    status: ScanStatus,
    score: z.int().min(0).max(100).nullable().describe('Null until completed, and when `failure` says why.'),
    grade: z.enum(['A+', 'A', 'B', 'C', 'D', 'F']).nullable().describe('Null when the score is.'),
    algorithmVersion: z.int().describe('The version of the scoring rules.'),
    findingCounts: FindingCounts.nullable().describe('Null when the score is.'),
    checks: CheckCounts.nullable().describe(
      'How many checks passed, failed, do not apply or have no result; null when the score is.',
    ),
    notRunReasons: z
      .array(NotRunReason)
      .max(MAX_REASONS)
      .describe('One for each check that `checks.notRun` counts. Empty for a scan of an earlier release.'),
    apiKeyId: z.string().nullable().describe('The key that started it; null for a dashboard scan.'),
    failure: z
      .object({
        code: z.string().describe('Stable and machine-readable.'),
        message: z.string().describe('For people; may change.'),
      })
      .nullable()
      .describe('Why the scan has no result; null when it has one.'),
    createdAt: Timestamp.describe('When the scan was created.'),
    completedAt: Timestamp.nullable().describe('Null until completed.'),
  })
  .describe('A passive scan.')
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
    id: z.string().describe('Id of the finding.'),
    checkId: z.string().describe('The check that failed.'),
    title: z.string().describe('What is wrong, in one line.'),
    description: z.string().describe('What is wrong and what an attacker gains.'),
    severity: Severity,
    confidence: Confidence,
    category: z.string().describe('The group of the check.'),
    affectedUrl: z.string().nullable().describe('URL where it was observed.'),
    evidence: z.string().nullable().describe('What was observed.'),
    remediation: z.string().describe('What to change.'),
    cweId: z.string().nullable().describe('For example "CWE-693".'),
    scoreImpact: z.int().describe('Points deducted for this finding; all deductions add up to 100 minus the score.'),
    references: z.array(z.string()).describe('Links to further reading.'),
  })
  .describe('A failing check.')
  .meta({ id: 'ScanFinding' });

export const ScanFindingsResponse = z
  .object({
    id: z.string().describe('Id of the scan.'),
    status: ScanStatus,
    total: z.int().nullable().describe('Null until the scan is completed, and when it has no result.'),
    nextOffset: NextOffset,
    findings: z.array(ScanFinding).describe('Worst first.'),
  })
  .describe("One page of a scan's failing checks.")
  .meta({ id: 'ScanFindingsResponse' });
export type ScanFindingsResponse = z.infer<typeof ScanFindingsResponse>;

export const findingsQuery = { severity: severityQuery, ...pageQuery };
