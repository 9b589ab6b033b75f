import { z } from 'zod';
import { webUrl } from './target-url.ts';

const credentialKinds = ['FORM_LOGIN', 'BEARER_TOKEN', 'BASIC_AUTH', 'COOKIE', 'API_KEY'] as const;

const shape = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be 1 to 100 letters, digits, "_" or "-"')
    .describe('Unique within the run.'),
  kind: z.enum(credentialKinds).optional().describe('How the account logs in.').meta({ default: 'FORM_LOGIN' }),
  user: z
    .string()
    .max(2_000)
    .describe('Username; for API_KEY the header or parameter name; for BEARER_TOKEN with tokenUrl the client id.'),
  pass: z
    .string()
    .max(20_000)
    .describe('Password, token or key value; for BEARER_TOKEN with tokenUrl the client secret.'),
  totpSecret: z.string().min(1).max(1_000).optional().describe('Authenticator-app secret, if the login needs one.'),
  instructions: z.string().max(10_000).optional().describe('Guidance for the tester. Put no secret here.'),
  mode: z
    .enum(['auto', 'json', 'form', 'browser'])
    .optional()
    .describe('FORM_LOGIN: how the login is submitted.')
    .meta({ default: 'auto' }),
  location: z
    .enum(['header', 'query'])
    .optional()
    .describe('API_KEY: where the key is sent.')
    .meta({ default: 'header' }),
  tokenUrl: webUrl
    .optional()
    .describe(
      'BEARER_TOKEN: OAuth 2.0 token URL for the client-credentials flow; must be https, except for hosts that the operator allows.',
    ),
  scope: z.string().max(2_000).optional().describe('BEARER_TOKEN with tokenUrl: scope to request.'),
  audience: z.string().max(2_000).optional().describe('BEARER_TOKEN with tokenUrl: audience to request.'),
});

type CredentialShape = z.infer<typeof shape>;

/** Yields fields that are meaningless for this kind of credential, so that the error can name the field. */
function* misplaced(credential: CredentialShape): Generator<{ field: keyof CredentialShape; message: string }> {
  const kind = credential.kind ?? 'FORM_LOGIN';
  if (kind !== 'FORM_LOGIN' && (credential.mode ?? 'auto') !== 'auto') {
    yield { field: 'mode', message: 'applies to FORM_LOGIN only' };
  }
  if (kind !== 'API_KEY' && (credential.location ?? 'header') !== 'header') {
    yield { field: 'location', message: 'applies to API_KEY only' };
  }
  if (kind !== 'BEARER_TOKEN' && credential.tokenUrl !== undefined) {
    yield { field: 'tokenUrl', message: 'applies to BEARER_TOKEN only' };
  }
  for (const field of ['scope', 'audience'] as const) {
    if (credential.tokenUrl === undefined && credential[field] !== undefined) {
      yield { field, message: 'applies to BEARER_TOKEN with tokenUrl only' };
    }
  }
  const isPlainToken = kind === 'BEARER_TOKEN' && credential.tokenUrl === undefined;
  if (credential.user === '' && !isPlainToken) yield { field: 'user', message: 'must not be empty' };
  if (credential.pass === '' && kind !== 'BASIC_AUTH') yield { field: 'pass', message: 'must not be empty' };
}

const isOfKind = (kind: (typeof credentialKinds)[number]) => ({
  properties: { kind: { const: kind } },
  required: ['kind'],
});

/** The rules of `misplaced` as JSON Schema; a test compares the two. */
const rulesOfKinds = {
  allOf: [
    {
      description: '`mode` other than `auto` applies to FORM_LOGIN only, which is the default kind.',
      if: { properties: { kind: { const: 'FORM_LOGIN' } } },
      else: { properties: { mode: { const: 'auto' } } },
    },
    {
      description: '`location` other than `header` applies to API_KEY only.',
      if: isOfKind('API_KEY'),
      else: { properties: { location: { const: 'header' } } },
    },
    {
      description: '`tokenUrl` applies to BEARER_TOKEN only.',
      if: isOfKind('BEARER_TOKEN'),
      else: { not: { required: ['tokenUrl'] } },
    },
    {
      description: '`user` may be empty for BEARER_TOKEN without `tokenUrl` only.',
      if: { ...isOfKind('BEARER_TOKEN'), not: { required: ['tokenUrl'] } },
      else: { properties: { user: { minLength: 1 } } },
    },
    {
      description: '`pass` may be empty for BASIC_AUTH only.',
      if: isOfKind('BASIC_AUTH'),
      else: { properties: { pass: { minLength: 1 } } },
    },
  ],
  dependentRequired: { scope: ['tokenUrl'], audience: ['tokenUrl'] },
};

export const Credential = shape
  .superRefine((credential, context) => {
    for (const { field, message } of misplaced(credential)) {
      context.addIssue({ code: 'custom', path: [field], message });
    }
  })
  .meta({
    id: 'Credential',
    description:
      'A test account. Encrypted on arrival, never returned or logged, deleted after 30 days. ' +
      'A value that does not apply to the kind is rejected.',
    ...rulesOfKinds,
  });

export const Credentials = z
  .array(Credential)
  .max(10)
  .superRefine((credentials, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of credentials.entries()) {
      if (seen.has(name)) context.addIssue({ code: 'custom', path: [index, 'name'], message: 'must be unique' });
      seen.add(name);
    }
  });
