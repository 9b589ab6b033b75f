import { z } from 'zod';
import { findingHistories } from '../history.ts';
import { Confidence, Severity } from '../severity.ts';
import { Timestamp } from '../timestamp.ts';
import { FindingRetest } from './retests.ts';
import { Expiry } from './words.ts';

/** The state of a finding. Runs set FIXED; people set ACCEPTED and FALSE_POSITIVE. */
export const findingStates = ['OPEN', 'ACCEPTED', 'FALSE_POSITIVE', 'FIXED'] as const;
export type FindingState = (typeof findingStates)[number];

const Colleague = z
  .object({ userId: z.string().describe('Id of the member.'), name: z.string().describe('Name of the member.') })
  .describe('A member, or a former one.');

export const AccountFinding = z
  .object({
    id: z.string().describe('Id of the finding in the latest run that reports it.'),
    runId: z.string().describe('That run.'),
    targetUrl: z.string().describe('The URL that the run tests.'),
    title: z.string().describe('Class and location of the weakness.'),
    severity: Severity,
    confidence: Confidence,
    affectedUrl: z.string().nullable().describe('URL with the weakness.'),
    method: z.string().nullable().describe('HTTP method of the request that shows it.'),
    parameter: z.string().nullable().describe('The parameter that is affected.'),
    cvssScore: z.string().nullable().describe('CVSS 3.1 base score with one decimal, as text.'),
    cweId: z.string().nullable().describe('For example "CWE-89".'),
    checkId: z.string().nullable().describe('The check that found it.'),
    state: z
      .enum(findingStates)
      .describe('FIXED: a later run repeated every test that found it, and does not report it. Else what people say.'),
    acceptedUntil: Timestamp.nullable().describe('Null unless the state is ACCEPTED. From then on it is OPEN again.'),
    closedAt: Timestamp.nullable().describe(
      'When it was fixed, or when a person accepted it or called it a false positive; null while it is OPEN.',
    ),
    history: z.enum(findingHistories).describe('NEW: one run reports it. REGRESSION: it was fixed in between.'),
    assignee: Colleague.nullable().describe('Who takes care of it.'),
    notes: z.int().describe('Number of notes.'),
    runs: z.int().describe('How many runs report it.'),
    firstSeenAt: Timestamp.describe('When the first run that reports it ended.'),
    lastSeenAt: Timestamp.describe('When the latest run that reports it ended.'),
  })
  .describe('A weakness at one site of a target, over all runs whose reports are released.')
  .meta({ id: 'AccountFinding' });
export type AccountFinding = z.infer<typeof AccountFinding>;

/** Maximum number of findings in the list. */
export const MOST_FINDINGS = 10_000;

export const ListAccountFindings = z
  .object({
    findings: z.array(AccountFinding).describe(`Worst first; at most ${MOST_FINDINGS}.`),
    total: z.int().describe('How many there are.'),
  })
  .describe('The findings of an account.');

const FindingEvent = z
  .object({
    id: z.int().describe('Number of the entry.'),
    at: Timestamp.describe('When it happened.'),
    by: Colleague.describe('Who did it.'),
    kind: z.enum(['STATE', 'ASSIGNEE', 'NOTE']).describe('What it says.'),
    state: z.enum(['OPEN', 'ACCEPTED', 'FALSE_POSITIVE']).nullable().describe('The new state.'),
    text: z.string().nullable().describe('The reason, or the note.'),
    acceptedUntil: Timestamp.nullable().describe('Until when it is accepted.'),
    assignee: Colleague.nullable().describe('The new assignee; null: none.'),
  })
  .describe('What a person decided or noted.')
  .meta({ id: 'FindingEvent' });
export type FindingEvent = z.infer<typeof FindingEvent>;

export const FindingRecord = z
  .object({
    finding: AccountFinding,
    events: z.array(FindingEvent).describe('Newest first.'),
    sightings: z
      .array(
        z.object({
          runId: z.string().describe('The run.'),
          findingId: z.string().describe('Id of the finding in that run.'),
          severity: Severity,
          at: Timestamp.describe('When the run ended; its start while it works.'),
        }),
      )
      .describe('The runs that report it, newest first.'),
    retests: z.array(FindingRetest).describe('Its retests, newest first. They do not change its state.'),
    fixedAt: Timestamp.nullable().describe('When a run showed that it is fixed; null while it is not.'),
  })
  .describe('A finding with all that people said about it.')
  .meta({ id: 'FindingRecord' });
export type FindingRecord = z.infer<typeof FindingRecord>;

const LENGTH = 'must be 1 to 5,000 characters';
/** Text of several lines; no other control characters. */
const LongText = z
  .string(LENGTH)
  .trim()
  .min(1, LENGTH)
  .max(5_000, LENGTH)
  .regex(/^[^\p{Cc}]*(?:[\t\r\n][^\p{Cc}]*)*$/u, 'must not contain control characters');

export const SetFindingState = z
  .discriminatedUnion('state', [
    z.strictObject({ state: z.literal('OPEN').describe('It is to be fixed.') }),
    z.strictObject({
      state: z.literal('ACCEPTED').describe('The risk is accepted until a date.'),
      reason: LongText.describe('Why.'),
      until: Expiry.describe('When it is open again.'),
    }),
    z.strictObject({
      state: z.literal('FALSE_POSITIVE').describe('It is no weakness.'),
      reason: LongText.describe('Why.'),
    }),
  ])
  .describe('A decision about a finding.');

export const SetAssignee = z
  .strictObject({ userId: z.string('must be a user id or null').nullable().describe('The member; null: none.') })
  .describe('Who takes care of a finding.');

export const NewNote = z.strictObject({ text: LongText.describe('The note.') }).describe('A note.');
