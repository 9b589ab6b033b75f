import { signUpModes } from '@sortie/contract';
import { z } from 'zod';
import { ModelVariables } from '../billing/model-settings.ts';
import { ListenerVariables } from '../platform/listener-settings.ts';
import { MailVariables } from '../platform/mail-settings.ts';
import { OidcVariables } from '../platform/oidc-settings.ts';
import {
  addressRanges,
  count,
  databaseUrl,
  hostList,
  keyIds,
  nameServers,
  port,
  positive,
  publicUrl,
  secret,
  text,
  whole,
} from './formats.ts';

export const environments = ['live', 'test'] as const;
export type Environment = (typeof environments)[number];

/** The flags of `sortie up`, as given on the command line. */
export const Flags = z.strictObject({
  port: port.default(4800),
  opsPort: port.default(4802),
  rangePort: port.default(4801),
  host: text.default('127.0.0.1'),
  data: text.default('.sortie'),
  role: z.enum(['all', 'api', 'worker'], 'must be all, api or worker').default('all'),
  environment: z.enum(environments, 'must be test or live').default('test'),
  demo: z.boolean().default(true),
  tlsCert: z.string().optional(),
  tlsKey: z.string().optional(),
  behindProxy: whole(1, 10).optional(),
});

/** The three rate limits of the API, per window of 60 seconds. */
export const RateLimitVariables = {
  SORTIE_LIMIT_READS_PER_KEY: count.optional(),
  SORTIE_LIMIT_READS_PER_ACCOUNT: count.optional(),
  SORTIE_LIMIT_WRITES_PER_KEY: count.optional(),
};

/** Durations in milliseconds: the first two on the service clock, the others on the real clock. */
export const TimeVariables = {
  SORTIE_CLAIM_HELD_MS: positive.optional(),
  SORTIE_GIVEN_UP_AFTER_MS: positive.optional(),
  SORTIE_LEASE_MS: positive.optional(),
  SORTIE_OWNERSHIP_EVERY_MS: positive.optional(),
  SORTIE_STEP_LIMIT_MS: positive.optional(),
};

export const Variables = z.object({
  DATABASE_URL: databaseUrl.optional(),
  SORTIE_ALLOW_ADDRESSES: addressRanges.optional(),
  SORTIE_ALLOW_TOKEN_HOSTS: hostList.optional(),
  SORTIE_CA_FILE: text.optional(),
  SORTIE_CATALOGUE: z.string().optional(),
  SORTIE_CHROMIUM: text.default('/usr/bin/chromium'),
  SORTIE_CONTACT: z
    .string()
    .regex(/^[\x21-\x7e]{3,100}$/, 'must be an e-mail address or a URL')
    .optional(),
  SORTIE_EDGE_RATE: positive.default(100),
  SORTIE_EDGE_BURST: positive.default(300),
  SORTIE_ENGINE_MEMORY_MB: positive.default(1_024),
  SORTIE_EVIDENCE_DAYS: whole(1, 3_650).default(90),
  SORTIE_FINGERPRINT_KEY: secret.optional(),
  SORTIE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').optional(),
  SORTIE_PENTEST_SLOTS: positive.default(2),
  SORTIE_PUBLIC_URL: publicUrl.optional(),
  SORTIE_RESOLVERS: nameServers.optional(),
  SORTIE_SCAN_SLOTS: positive.default(10),
  SORTIE_SCANS_PER_ADDRESS: positive.default(6),
  SORTIE_SCANS_PER_ADDRESS_HOUR: positive.default(120),
  SORTIE_SIGN_UP: z.enum(signUpModes, 'must be open, invitation or closed').optional(),
  SORTIE_SIGNING_KEY: secret.optional(),
  SORTIE_VAULT_KEY: secret.optional(),
  SORTIE_VAULT_LOST_KEYS: keyIds.optional(),
  SORTIE_VAULT_OLD_KEYS: secret.optional(),
  ...ListenerVariables,
  ...MailVariables,
  ...ModelVariables,
  ...OidcVariables,
  ...RateLimitVariables,
  ...TimeVariables,
});

/** The flags of `sortie up`, as the command line passes them. */
export type UpFlags = z.input<typeof Flags>;
