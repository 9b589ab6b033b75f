import { z } from 'zod';
import { NextOffset } from '../query.ts';
import { Target } from '../targets.ts';
import { Timestamp } from '../timestamp.ts';
import { ShortText } from './words.ts';

const lookUps = z
  .array(
    z.object({
      place: z.string().describe('The name, or the URL.'),
      seen: z.array(z.string()).describe('What was there.'),
    }),
  )
  .describe('Where the service looked, and what it saw.');

export const OwnershipCheck = z
  .object({
    id: z.string().describe('Id of the check.'),
    state: z.enum(['WAITING', 'CHECKING', 'DONE']).describe('`WAITING`: no worker has taken it yet.'),
    outcome: z.string().nullable().describe('`FOUND` verifies the target. Null until the check is done.'),
    message: z.string().nullable().describe('What was found, and what to do.'),
    lookUps,
    askedAt: Timestamp.describe('When it was asked for.'),
    checkedAt: Timestamp.nullable().describe('Null until the check is done.'),
    isOfRun: z.boolean().describe('Whether a pentest made the check by itself.'),
  })
  .describe('A check of who owns a target.')
  .meta({ id: 'OwnershipCheck' });
export type OwnershipCheck = z.infer<typeof OwnershipCheck>;

const Proof = z
  .object({
    place: z.string().describe('Where to publish it: the name of a DNS TXT record, or a URL.'),
    value: z.string().describe('Exactly what to publish.'),
  })
  .describe('What proves the ownership.');

const Import = z
  .object({
    name: z.string().describe('File name.'),
    kind: z.string().describe('Recognised format.'),
    bytes: z.int().describe('Size.'),
    importedAt: Timestamp.describe('When it was imported.'),
    deletionDueAt: Timestamp.describe('When it is deleted.'),
  })
  .describe('An imported API description, without its content.');

export const ManagedTarget = Target.extend({
  targetId: z.string().describe('Id of the target. Verifications by several methods share it, with rules and switch.'),
  emergencyContact: z.string().nullable().describe('Whom to contact if a test causes harm.'),
  proof: Proof.nullable().describe('Null for an attestation, which the operator of this service gives.'),
  canPublish: z.boolean().describe('Whether the service can publish the proof itself: only on its demo target.'),
  assignedTo: z.array(z.string()).describe('User ids of the members that the target is assigned to.'),
  lastCheck: OwnershipCheck.nullable().describe('The latest check; null if there was none.'),
  lastRun: z
    .object({
      id: z.string().describe('Id of the run.'),
      status: z.string().describe('Status of the run.'),
      createdAt: Timestamp.describe('When the run was created.'),
    })
    .nullable()
    .describe('The latest pentest of the target; null if there was none.'),
  imported: Import.nullable().describe('The imported API description, if any.'),
})
  .describe('A verification of a target, with all that its page shows.')
  .meta({ id: 'ManagedTarget' });
export type ManagedTarget = z.infer<typeof ManagedTarget>;

export const ListManagedTargets = z
  .object({ targets: z.array(ManagedTarget).describe('Oldest first.'), nextOffset: NextOffset })
  .describe('One page of targets.');

export const NewTarget = z
  .strictObject({
    url: z
      .string('must be an http or https URL')
      .min(1, 'must be an http or https URL')
      .max(2_048, 'must not be longer than 2,048 characters')
      .describe('A host, which means https, or a URL, of which the origin is used.'),
    method: z.enum(['dns', 'file', 'meta']).describe('How the ownership is proved.'),
    name: ShortText.optional().describe('Method dns: a parent domain to cover, instead of the host.'),
  })
  .describe('A target to add.');

export const SetApiRuns = z
  .strictObject({ apiRuns: z.boolean().describe('Whether runs may be started through the API.') })
  .describe('The API switch of a target.');

/** Maximum number of excluded paths per target. */
export const MOST_EXCLUDED_PATHS = 50;

/** A URL path without characters that servers interpret differently; optionally after a method, and with a query. */
export const excludedPathPattern =
  /^(?:(?:GET|POST|PUT|PATCH|DELETE|OPTIONS) )?\/[^\s?#\\\p{Cc}]{0,499}(?:\?[^\s?#\\\p{Cc}]{1,200})?$/u;

/** A time of day in UTC, such as 22:00. */
export const timeOfDayPattern = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const TIME = 'must be a time of day in UTC, such as 22:00';
const RATE = 'must be a whole number from 1 to 50, or null';
const timeOfDay = z.string(TIME).regex(timeOfDayPattern, TIME);

export const EngagementRules = z
  .strictObject({
    excludedPaths: z
      .array(
        z
          .string()
          .regex(
            excludedPathPattern,
            'must be a path that begins with /, with a method before it (POST /orders) or a query after it if wanted',
          ),
      )
      .max(MOST_EXCLUDED_PATHS, `must not have more than ${MOST_EXCLUDED_PATHS} paths`)
      .transform((paths) => [...new Set(paths)])
      .describe('Neither these paths nor anything below them is requested.'),
    requestsPerSecond: z.int(RATE).min(1, RATE).max(50, RATE).nullable().describe("Null: the engine's default rate."),
    window: z
      .strictObject({ from: timeOfDay.describe('Time of day in UTC.'), to: timeOfDay.describe('Time of day in UTC.') })
      .refine(({ from, to }) => from !== to, 'must begin and end at different times')
      .nullable()
      .describe('When the target may be tested; null: always.'),
    emergencyContact: ShortText.nullable().describe('Whom to contact if a test causes harm.'),
  })
  .describe('Rules of engagement. They replace all of the earlier ones.');

export const Assignment = z
  .strictObject({ userId: z.string().describe('Id of the member.') })
  .describe('The member that a target is assigned to.');

/** Largest API description that can be imported for a target. */
export const MAX_IMPORT_BYTES = 20_000_000;

export const ApiImport = z
  .strictObject({
    name: ShortText.describe('File name.'),
    file: z.string('must be the text of an API description').describe('The content, of at most 20 MB.'),
  })
  .describe('An API description to import.');

export const ListChecksResponse = z
  .object({ checks: z.array(OwnershipCheck).describe('Newest first.') })
  .describe('The checks of a verification.');
