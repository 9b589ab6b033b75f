import { z } from 'zod';

/** How far a group of checks was tested. */
export const coverageStatuses = ['TESTED', 'PARTLY_TESTED', 'NOT_TESTED', 'NOT_APPLICABLE'] as const;

export const CoverageGroup = z
  .object({
    group: z.string().describe('The group of checks. New groups may be added.'),
    status: z
      .enum(coverageStatuses)
      .describe(
        'TESTED: all checks that the level includes ran wherever they apply. PARTLY_TESTED: some of them. NOT_TESTED: ' +
          'they apply, and none ran. NOT_APPLICABLE: nothing was found that they apply to.',
      ),
    tested: z.int().describe('Number of requests at which all its checks ran.'),
    partlyTested: z.int().describe('Number of requests at which some of its checks ran, or not in full.'),
    notTested: z.int().describe('Number of requests that its checks apply to, and at which none ran.'),
    reasons: z
      .array(
        z.object({
          reason: z.string().describe('Why checks did not run, or not in full.'),
          cure: z.string().describe('How to fix it.'),
        }),
      )
      .describe('Why it is not tested everywhere; empty if it is.'),
  })
  .describe('What was tested of one group of checks. A request counts once per account.')
  .meta({ id: 'CoverageGroup' });

const GroupsWithReason = z
  .object({
    groups: z.array(z.string()).describe('Groups of checks.'),
    reason: z.string().describe('Why their checks did not run, or not in full.'),
  })
  .describe('Groups of checks that were not tested, or partly, for the same reason.')
  .meta({ id: 'GroupsWithReason' });

const CoverageRequest = z
  .object({
    method: z.string().describe('HTTP method.'),
    url: z.string().describe('URL with `{id}` for ids in its path, and parameters without their values.'),
    operation: z.string().nullable().describe('GraphQL operation or SOAP procedure; null for other requests.'),
    account: z.string().nullable().describe('Name of the test account that sent it; null without an account.'),
    tested: z.array(z.string()).describe('Groups of checks that were tested.'),
    partlyTested: z.array(GroupsWithReason).describe('Groups of checks that were tested in part.'),
    notTested: z.array(GroupsWithReason).describe('Groups of checks that apply and were not tested.'),
  })
  .describe('What was tested with one kind of request as one account. Groups that do not apply are not listed.')
  .meta({ id: 'CoverageRequest' });

export const Coverage = z
  .object({
    groups: z.array(CoverageGroup).describe('All groups of checks.'),
    requests: z
      .array(CoverageRequest)
      .describe('At most 300 requests that checks apply to; those that are not fully tested take precedence.'),
    omittedRequests: z.int().describe('Number of requests that are not listed.'),
    accounts: z
      .array(z.string())
      .optional()
      .describe(
        'Names of all test accounts of the run, also of those that were only compared with others. Absent without any, ' +
          'and for runs of earlier releases.',
      ),
  })
  .describe('What a run tested: request, group of checks and account.')
  .meta({ id: 'Coverage' });
export type Coverage = z.infer<typeof Coverage>;
