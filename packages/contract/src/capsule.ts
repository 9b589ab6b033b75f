import { z } from 'zod';
import { depths } from './depth.ts';
import { Experiment, ExperimentV1 } from './experiment.ts';
import { Confidence } from './severity.ts';
import { Timestamp } from './timestamp.ts';

/** Raise it with every change that an older reader would misunderstand. */
export const CAPSULE_VERSION = 1;

/** The most places of a finding that its capsule contains beyond the first. */
export const MOST_OTHER_PLACES = 30;

/** The same limit as for the stored texts of findings. */
const text = z.string().max(20_000);
const name = z.string().max(300);

const capsuleAccounts = z
  .array(
    z
      .object({
        name: name.describe('Name of the account in the run.'),
        id: name.nullable().describe("The target's id of the account, if known."),
      })
      .describe('A test account of the experiment.')
      .meta({ id: 'CapsuleAccount' }),
  )
  .max(10)
  .describe('Test accounts that the experiment uses or compares, by name. A replay needs all of them.');

const COMPLETE =
  'Whether subject and variant contain every value. If one was left out because it is a secret, a replay cannot tell ' +
  'whether the finding is gone.';

const CapsuleStep = z
  .object({
    key: name.describe('Name of the step within the experiment.'),
    label: z.string().max(1_000).describe('What the step does.'),
    account: name.nullable().describe('Name of the test account that sends the request; null without one.'),
    isControl: z.boolean().describe('Whether it shows what the target does without the flaw.'),
    isCleanUp: z.boolean().describe('Whether it undoes a change of an earlier step.'),
    inBrowser: z.boolean().describe('Whether a browser opens the response.'),
    madeBy: name.nullable().describe('The step whose response names the URL to request; null if the URL is given.'),
    method: z.string().max(40).describe('HTTP method.'),
    url: z.string().max(8_000).describe('URL, without secrets.'),
    headers: z
      .array(
        z
          .object({ name: name.describe('Name of the field.'), value: text.describe('Value, without secrets.') })
          .describe('A header field.')
          .meta({ id: 'CapsuleHeader' }),
      )
      .max(100)
      .describe('Header fields that the experiment sets.'),
    body: text.nullable().describe('Request body, without secrets; null without one.'),
    status: z.int().nullable().describe('Status of the response; null without one.'),
  })
  .describe('One request of the experiment, as it was sent at the proof.')
  .meta({ id: 'CapsuleStep' });

const experiment = ExperimentV1.optional().describe(
  'The experiment itself, with the version of its own schema, if it has version 1 and a planner has proposed it: `variant` is null then. ' +
    'Absent for checks. A reader that does not know it finds no check with the id `checkId` and replays nothing.',
);

const experimentV2 = Experiment.optional().describe(
  'The experiment of a planner if it has version 2, like `experiment`.',
);

const verdicts = ['PROVED', 'LIKELY', 'REFUTED', 'VOID'] as const;

/** The signed content: every field of a capsule except the signature. */
export const CapsuleContent = z
  .object({
    version: z.literal(CAPSULE_VERSION).describe('Version of this format.'),
    checkId: name.describe('The check that planned the experiment; a replay plans it with fresh random values.'),
    fingerprint: z.string().max(200).describe('Fingerprint of the finding.'),
    confidence: Confidence,
    depth: z.enum(depths).describe('The level of the run. Replays keep its rules for writes.'),
    origin: z.string().max(2_000).describe('Scheme, host and port of the target. A replay tests nothing else.'),
    subject: z.unknown().describe('What is tested: an insertion point, a request or a site.'),
    variant: z.unknown().describe('How it is tested.'),
    experiment,
    experimentV2,
    accounts: capsuleAccounts,
    steps: z.array(CapsuleStep).max(60).describe('In the order sent.'),
    oracle: z
      .object({
        name: name.describe('The rule that judges the responses.'),
        verdicts: z.array(z.enum(verdicts)).max(2).describe('Of both executions of the proof.'),
      })
      .describe('How the responses were judged.')
      .meta({ id: 'CapsuleOracle' }),
    isComplete: z.boolean().describe(COMPLETE),
    provedAt: Timestamp.describe('When the proof was executed.'),
  })
  .describe('The proof of a finding as an experiment that can be repeated.');
export type CapsuleContent = z.infer<typeof CapsuleContent>;

const CapsulePlace = z
  .object({
    url: text.describe('URL with the weakness.'),
    method: name.nullable().describe('HTTP method of the request that shows it.'),
    parameter: text.nullable().describe('The parameter that is affected.'),
    checkId: name.describe('The check that planned the experiment at this place.'),
    subject: z.unknown().describe('What is tested there.'),
    variant: z.unknown().describe('How it is tested there.'),
    experiment,
    experimentV2,
    accounts: capsuleAccounts,
    steps: z
      .array(
        CapsuleStep.pick({ key: true, account: true, status: true })
          .describe('What a replay compares with one request of the proof.')
          .meta({ id: 'CapsulePlaceStep' }),
      )
      .max(60)
      .describe('In the order sent.'),
    isComplete: z.boolean().describe(COMPLETE),
  })
  .describe('The experiment at another place of the same finding.')
  .meta({ id: 'CapsulePlace' });
export type CapsulePlace = z.infer<typeof CapsulePlace>;

export const Capsule = CapsuleContent.extend({
  otherPlaces: z
    .array(CapsulePlace)
    .max(MOST_OTHER_PLACES)
    .default([])
    .describe('The other places of the finding. A replay repeats the proof at each of them.'),
  omittedPlaces: z
    .int()
    .min(0)
    .default(0)
    .describe('Number of places whose proof the capsule does not contain. A replay then cannot call the finding gone.'),
  pentestId: name.describe('The run that found it.'),
  verificationId: name.describe('Verification of the target. A replay sends nothing once it has expired.'),
  signature: z
    .object({
      algorithm: z.literal('Ed25519').describe('Signature algorithm.'),
      keyId: name.describe('`kid` of the key in /.well-known/jwks.json.'),
      value: name.describe('Base64url of the signature of all other fields, in the canonical form of RFC 8785.'),
    })
    .describe('By the service that ran the pentest.')
    .meta({ id: 'CapsuleSignature' }),
})
  .describe('The proof of a finding as a signed experiment. `sortie finding replay` repeats it.')
  .meta({ id: 'Capsule' });
export type Capsule = z.infer<typeof Capsule>;

/** Returns the bytes that the signature covers: all other fields in the canonical form of RFC 8785. */
export function signedBytes({ signature: _, ...content }: object & { signature?: unknown }): Uint8Array {
  return new TextEncoder().encode(canonical(content));
}

/** Written by hand, because JavaScript moves keys that are numbers to the front of an object. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
}
