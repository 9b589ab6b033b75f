import { z } from 'zod';
import { CoverageGroup } from '../coverage.ts';
import { depths } from '../depth.ts';
import { StartPentest } from '../pentests.ts';
import { Timestamp } from '../timestamp.ts';

const amount = z.int().min(0);

const Meter = z.object({
  used: amount.describe('What the saved steps have used.'),
  allowed: amount.describe('The budget of the level.'),
});

export const RunProgress = z
  .object({
    id: z.string().describe('Id of the run.'),
    time: Meter.describe('Milliseconds of testing. Waiting does not count.'),
    requests: Meter.describe('Requests to the target.'),
    phases: z
      .array(
        z.object({
          phase: z.string().describe('A status of a run.'),
          steps: amount.describe('Saved steps.'),
          requests: amount.describe('Requests of these steps.'),
          milliseconds: amount.describe('Time of these steps.'),
        }),
      )
      .describe('Phases with saved steps, in order.'),
    checks: z
      .object({
        planned: amount.describe('Checks that apply to something at the target.'),
        begun: amount.describe('Those of them that have run somewhere, or were left out with a reason.'),
      })
      .nullable()
      .describe('Null until the tests are planned, and after what tells it has been deleted.'),
    runsAhead: amount.nullable().describe('How many runs wait before this one; null unless it is QUEUED.'),
    creditsSoFar: amount
      .nullable()
      .describe('What the tests would cost if the run ended now, without a minimum; null if no credits are held.'),
    testingCredits: amount.nullable().describe('Credits held for testing.'),
    reviewCredits: amount.nullable().describe('Credits held for expert review.'),
    review: z
      .object({
        isRejected: z.boolean().describe('Whether the reviewer has rejected the report.'),
        since: Timestamp.describe('When the review began, or the report was rejected.'),
      })
      .nullable()
      .describe('Null without expert review, before it and after the sign-off.'),
    contacted: z
      .array(
        z.object({
          host: z.string().describe('Name or address.'),
          port: z.int().describe('TCP port.'),
          outcome: z.enum(['CONTACTED', 'REFUSED']).describe('REFUSED: out of scope or not allowed.'),
          reason: z.string().nullable().describe('Why it was refused.'),
          requests: amount.describe('Number of requests.'),
        }),
      )
      .describe('The busiest destinations so far.'),
  })
  .describe('How far a run is: no finding, and nothing that tells of one.')
  .meta({ id: 'RunProgress' });
export type RunProgress = z.infer<typeof RunProgress>;

export const RunCoverage = z
  .object({
    groups: z
      .array(CoverageGroup)
      .nullable()
      .describe('Null before the tests are planned, until the report is released, and once the run is over.'),
  })
  .describe('What the saved steps of a run have tested so far.')
  .meta({ id: 'RunCoverage' });

export const ListRejectedRuns = z
  .object({
    runs: z
      .array(
        z.object({
          runId: z.string().describe('The run.'),
          since: Timestamp.describe('When the reviewer rejected its report.'),
        }),
      )
      .describe('Newest run first.'),
  })
  .describe('Runs whose reports are rejected.');

export const RunActivity = z
  .object({
    items: z
      .array(
        z.object({
          createdAt: Timestamp.describe('When it was saved.'),
          specialist: z.string().describe('The agent: a specialist, `coordinator` or `reporter`.'),
          hypothesis: z.string().nullable().describe('What it expected; null if it only looked around.'),
          tried: z.string().describe('What it tried.'),
          outcome: z.string().describe('What came of it.'),
        }),
      )
      .describe(
        'In the order in which it happened; empty without a language model, and after the evidence is deleted.',
      ),
  })
  .describe('What the agents of the planner with a language model did, in plain words.')
  .meta({ id: 'RunActivity' });
export type RunActivity = z.infer<typeof RunActivity>;

const StatementLine = Meter.extend({
  unit: z.enum(['ms', 'requests', 'microdollars']).describe('The unit of both amounts.'),
  credits: amount.describe('What this budget alone would cost.'),
});

const StatementPart = z.object({
  reserved: amount.describe('Held at the start.'),
  charged: amount.describe('Paid.'),
  returned: amount.describe('Given back.'),
  held: amount.describe('Not settled yet.'),
});

export const RunStatement = z
  .object({
    outcome: z.enum(['COMPLETED', 'FAILED', 'CANCELLED']).describe('How the run ended.'),
    started: z.boolean().describe('Whether testing had begun.'),
    meters: z.object({ time: StatementLine, requests: StatementLine, model: StatementLine }),
    largest: amount.describe('The largest of the three: it decides the charge.'),
    minimum: amount.describe('The least that testing costs.'),
    testing: StatementPart.describe('For testing.'),
    review: StatementPart.describe('For expert review.'),
    total: StatementPart.describe('Both; in each row reserved = charged + returned + held.'),
    createdAt: Timestamp.describe('When the run ended.'),
  })
  .describe('How the charge of a run was calculated.')
  .meta({ id: 'RunStatement' });
export type RunStatement = z.infer<typeof RunStatement>;

export const StartRun = StartPentest.extend({
  depth: z.enum(depths).optional().describe('The level, also one that the API does not start.'),
}).describe('As for the API, with every level.');
export type StartRun = z.infer<typeof StartRun>;

/** Formats in which the dashboard offers a report for download. */
export const reportFormats = [
  'html',
  'pdf',
  'markdown',
  'csv',
  'json',
  'sarif',
  'junit',
  'gitlab-dast',
  'defectdojo',
] as const;
export type ReportFormat = (typeof reportFormats)[number];
