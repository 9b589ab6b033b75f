import { createHash } from 'node:crypto';
import { apiDepths, MAX_API_DESCRIPTION_BYTES } from '@sortie/contract';
import { z } from 'zod';
import type { Settings } from '../../settings/settings.ts';
import type { CredentialsFolder } from './credentials-folder.ts';
import type { CreditLimit } from './credit-limit.ts';
import { refuse } from './explain-tool-failure.ts';
import { sendPentest } from './send-pentest.ts';
import { id, summary } from './shapes.ts';
import { defineTool, type Tool } from './tool.ts';

const startKey = z
  .string()
  .max(100)
  .default('')
  .describe('Calls with the same arguments start one run; pass another text to start another run.');

const startedShape = {
  summary,
  id: z.string(),
  status: z.string(),
  replayed: z.boolean().describe('Whether an earlier call started it.'),
};

/**
 * Returns an idempotency key derived from the parts that identify a start. Passwords must not be among them. The random
 * session id keeps the other parts from being guessed.
 */
const keyOf = ({ sessionId }: CreditLimit, parts: readonly string[]) =>
  `mcp-${createHash('sha256')
    .update(JSON.stringify([sessionId, ...parts]))
    .digest('hex')}`;

const startScan = (creditLimit: CreditLimit) =>
  defineTool({
    name: 'sortie_scan_start',
    title: 'Start a scan',
    description: 'Starts a passive scan of a URL. It is free and takes a few minutes; then call sortie_scan_get.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    doing: 'The scan could not be started',
    input: z.strictObject({ url: z.string().min(1).max(2_000).describe('http or https URL, or a domain.'), startKey }),
    output: z.object({ ...startedShape, domain: z.string() }),
    async run(input, { client, calls }) {
      const idempotencyKey = keyOf(creditLimit, ['scan', input.url, input.startKey]);
      const { data, replayed } = await client.scans.start({ url: input.url }, { ...calls, idempotencyKey });
      return { ...data, replayed, summary: `Scan ${data.id} ${replayed ? 'was already started' : 'started'}` };
    },
  });

const cancelPentest = defineTool({
  name: 'sortie_pentest_cancel',
  title: 'Cancel a pentest',
  description:
    'Cancels a pentest; it cannot be resumed. The work done so far is charged. Ask the user first. No effect on a run that has ended.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  doing: 'The run could not be cancelled',
  input: z.strictObject({ id: id('run') }),
  output: z.object({ summary, id: z.string(), status: z.string() }),
  async run(input, { client, calls }) {
    const { data } = await client.pentests.cancel(input.id, calls);
    return { id: input.id, status: data.status, summary: `The run is ${data.status}` };
  },
});

const pentestInput = {
  targetUrl: z.string().min(1).max(2_000).optional().describe('URL to test (default: target in sortie.yml).'),
  verificationId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Verification id of the target (default: verificationId in sortie.yml).'),
  depth: z.enum(apiDepths),
  apiDescription: z
    .string()
    .min(1)
    .max(MAX_API_DESCRIPTION_BYTES)
    .optional()
    .describe(
      'Text of an OpenAPI, Swagger, Postman, WSDL or GraphQL file that describes the API. It must not contain secrets.',
    ),
  confirmCostCredits: z.int().describe('Price of this depth from sortie_levels, approved by the user.'),
  startKey,
};

const credentialsRef = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe(
    'Name of a file with test accounts in the folder that the user allowed. Never pass the accounts themselves.',
  );

const doing = 'The run could not be started';

const startPentest = (creditLimit: CreditLimit, folder: CredentialsFolder | undefined) =>
  defineTool({
    name: 'sortie_pentest_start',
    title: 'Start a pentest (costs credits)',
    description:
      'Starts a pentest of a verified target. It attacks the target, takes hours and costs credits: ask the user first and ' +
      `state the price. The limit of this session is ${creditLimit.ceiling} credits.`,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    doing,
    // The argument exists only if there is a credentials folder.
    input: z.strictObject({ ...pentestInput, ...(folder && { credentialsRef }) }),
    output: z.object({ ...startedShape, costCredits: z.number(), sessionCreditsLeft: z.number() }),
    async run(input, call) {
      const reference = credentialsRef.parse(input.credentialsRef);
      const target = readTarget(call.shell.settings, input);
      const { apiDescription } = input;
      const named = [target.targetUrl, target.verificationId, input.depth, reference ?? '', input.startKey];
      const parts = ['pentest', ...named, ...(apiDescription === undefined ? [] : [apiDescription])];
      const credentials = reference === undefined ? undefined : folder?.read(doing, reference);
      const start = {
        body: {
          ...target,
          depth: input.depth,
          ...(credentials && { credentials }),
          ...(apiDescription !== undefined && { apiDescription }),
        },
        confirmed: input.confirmCostCredits,
        idempotencyKey: keyOf(creditLimit, parts),
      };
      return creditLimit.inTurn(() => sendPentest(doing, start, creditLimit, call));
    },
  });

interface GivenTarget {
  targetUrl?: string | undefined;
  verificationId?: string | undefined;
}

function readTarget(settings: Settings, input: GivenTarget) {
  const targetUrl = input.targetUrl ?? settings.get('target')?.value;
  const verificationId = input.verificationId ?? settings.get('verificationId')?.value;
  if (targetUrl !== undefined && verificationId !== undefined) return { targetUrl, verificationId };
  throw refuse(doing, {
    code: 'VALIDATION_ERROR',
    why: 'targetUrl or verificationId is missing, and sortie.yml does not set it',
    hint: 'Ask the user for the URL and its verification id.',
  });
}

export const startTools = (creditLimit: CreditLimit, folder: CredentialsFolder | undefined): Tool[] => [
  startScan(creditLimit),
  startPentest(creditLimit, folder),
  cancelPentest,
];
