import { z } from 'zod';
import { NextOffset, pageQuery } from './query.ts';
import { Timestamp } from './timestamp.ts';

const TargetRules = z
  .object({
    excludedPaths: z
      .array(z.string())
      .describe(
        'Neither these paths nor anything below them is requested. A method before a path (`POST /orders`) or a query after it (`/index.php?action=logout`) narrows what is excluded.',
      ),
    requestsPerSecond: z.number().nullable().describe("Null: the engine's default rate."),
    window: z
      .object({
        from: z.string().describe('Time of day in UTC, such as "22:00".'),
        to: z.string().describe('Time of day in UTC; before `from` when the window crosses midnight.'),
      })
      .nullable()
      .describe('When the target may be tested; null: always.'),
  })
  .describe('Rules of engagement of the target.')
  .meta({ id: 'TargetRules' });

export const Target = z
  .object({
    verificationId: z.string().describe('Send it as `verificationId` to start a pentest.'),
    origin: z.string().describe('Scheme, host and port of the target.'),
    method: z.enum(['dns', 'file', 'meta', 'attestation']).describe('How the target is verified.'),
    coveredName: z.string().nullable().describe('DNS: this name and its subdomains may be tested, on any port.'),
    coveredOrigin: z.string().nullable().describe('Other methods: this origin may be tested.'),
    verified: z.boolean().describe('Whether the verification is complete and has not expired.'),
    verifiedAt: Timestamp.nullable().describe('Null while the verification is incomplete.'),
    expiresAt: Timestamp.nullable().describe('Null while the verification is incomplete.'),
    apiRuns: z.boolean().describe('Whether runs may be started through the API.'),
    rules: TargetRules,
    createdAt: Timestamp.describe('When the verification was added.'),
  })
  .describe('A verification of a target. A target that is verified in several ways is listed once for each.')
  .meta({ id: 'Target' });
export type Target = z.infer<typeof Target>;

export const ListTargetsResponse = z
  .object({ targets: z.array(Target).describe('Oldest first.'), nextOffset: NextOffset })
  .describe('One page of targets.')
  .meta({ id: 'ListTargetsResponse' });
export type ListTargetsResponse = z.infer<typeof ListTargetsResponse>;

export const listTargetsQuery = { ...pageQuery };
