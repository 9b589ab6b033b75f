import { z } from 'zod';
import { Severity } from './severity.ts';

/** How a finding relates to the earlier runs on its target. */
export const findingHistories = ['NEW', 'OPEN', 'REGRESSION'] as const;
export type FindingHistory = (typeof findingHistories)[number];

export const FindingHistory = z
  .enum(findingHistories)
  .describe(
    'Compared with the latest 20 earlier runs on the target that are over and released. NEW: none of them has it. OPEN: ' +
      'an earlier run has it, and no later one has shown it to be fixed. REGRESSION: it was fixed in between. New values ' +
      'may be added within /v1.',
  )
  .meta({ id: 'FindingHistory', isOpen: true });

const EarlierFinding = z
  .object({
    fingerprint: z.string().describe('Its fingerprint.'),
    title: z.string().describe('Class and location of the weakness.'),
    severity: Severity,
    checkId: z.string().nullable().describe('The check that found it. Null for a finding of an earlier release.'),
    affectedUrl: z.string().nullable().describe('URL with the weakness.'),
    method: z.string().nullable().describe('HTTP method of the request that shows it.'),
    parameter: z.string().nullable().describe('The parameter that is affected.'),
    pentestId: z.string().describe('The last run that has it.'),
    findingId: z.string().describe('Id of the finding in that run.'),
  })
  .describe('A finding of an earlier run.')
  .meta({ id: 'EarlierFinding' });

const NotTestedFinding = EarlierFinding.extend({
  reason: z.string().describe('Why this run does not tell whether it is fixed.'),
})
  .describe('A finding of an earlier run that this run did not test again, or not in full.')
  .meta({ id: 'NotTestedFinding' });

/** Findings of earlier runs that this run no longer reports. */
export const changesSinceEarlierRuns = {
  fixed: z
    .array(EarlierFinding)
    .describe(
      'Findings of earlier runs that this one does not have, although it tested the same requests with the same group of ' +
        'checks, as the same accounts, at the same level or a deeper one. At most 500, worst first. ' +
        'Empty while the run goes on, and while its report is not released.',
    ),
  notTested: z
    .array(NotTestedFinding)
    .describe(
      'Findings of earlier runs that this one does not have, and that may still exist: it did not test everything that ' +
        'would show them. At most 500, worst first. ' +
        'Empty while the run goes on, and while its report is not released.',
    ),
};
