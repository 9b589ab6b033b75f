import { z } from 'zod';
import { Severity } from '../severity.ts';
import { Timestamp } from '../timestamp.ts';

/** Outcomes of replaying a proof. VOID: the responses show neither that the flaw is gone nor that it remains. */
const retestOutcomes = ['GONE', 'STILL_THERE', 'VOID'] as const;
export type RetestOutcome = (typeof retestOutcomes)[number];

/** Maximum number of findings in one retest. */
export const MOST_RETESTED = 20;
/** Maximum number of retests per target and hour. */
export const RETESTS_PER_HOUR = 5;

const outcome = z.enum(retestOutcomes).describe('VOID: the responses prove nothing either way, or nothing was sent.');

const RetestPlace = z
  .object({
    url: z.string().describe('URL of the place.'),
    method: z.string().nullable().describe('HTTP method of the request that shows the weakness.'),
    parameter: z.string().nullable().describe('The parameter that is affected.'),
    outcome,
    reason: z.string().describe('Why, in one sentence.'),
  })
  .describe('A place of the finding, tested again.');

const judged = {
  outcome: outcome.nullable().describe('Null while it waits.'),
  reason: z.string().nullable().describe('Why, in one sentence.'),
  places: z.array(RetestPlace).describe('Empty if nothing was sent.'),
  testedAt: Timestamp.nullable().describe('When the outcome was stored; null while it waits.'),
};

const requested = {
  id: z.string().describe('Id of the retest. The public API does not know it.'),
  runId: z.string().describe('The run that reports the findings.'),
  by: z
    .object({ userId: z.string().describe('Id of the member.'), name: z.string().describe('Name of the member.') })
    .describe('Who asked for it.'),
  createdAt: Timestamp.describe('When it was asked for.'),
  startedAt: Timestamp.nullable().describe('When a worker took it; null while it waits.'),
  completedAt: Timestamp.nullable().describe('When it was over.'),
};

export const Retest = z
  .object({
    ...requested,
    findings: z
      .array(
        z.object({
          findingId: z.string().describe('Id of the finding in the run.'),
          title: z.string().describe('Class and location of the weakness.'),
          severity: Severity,
          ...judged,
        }),
      )
      .describe('In the order asked for, which is the order of the tests.'),
  })
  .describe('A repetition of the proofs of some findings of a run.')
  .meta({ id: 'Retest' });
export type Retest = z.infer<typeof Retest>;

export const FindingRetest = z
  .object({ ...requested, ...judged })
  .describe('What a retest says about one finding.')
  .meta({ id: 'FindingRetest' });
export type FindingRetest = z.infer<typeof FindingRetest>;

const COUNT = `must be 1 to ${MOST_RETESTED} ids of findings`;

export const NewRetest = z
  .strictObject({
    findingIds: z
      .array(z.string(COUNT).max(100, COUNT), COUNT)
      .min(1, COUNT)
      .max(MOST_RETESTED, COUNT)
      .refine((ids) => new Set(ids).size === ids.length, 'must not name a finding twice')
      .describe('Findings of the run.'),
  })
  .describe('What to test again.');
