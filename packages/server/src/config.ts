import { isIP } from 'node:net';
import path from 'node:path';
import { rateLimits } from '@sortie/contract';
import { z } from 'zod';
import { type Catalogue, readCatalogue } from './catalogue.ts';
import { createSecret, type Secret } from './secret.ts';
import { StartupError } from './startup-error.ts';

export const environments = ['live', 'test'] as const;
export type Environment = (typeof environments)[number];

const count = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number);
const port = count.pipe(z.int().max(65_535));

/** The options of `sortie up`, as they come from the command line. */
const Flags = z.strictObject({
  port: port.default(4800),
  opsPort: port.default(4802),
  rangePort: port.default(4801),
  host: z.string().min(1).default('127.0.0.1'),
  data: z.string().min(1).default('.sortie'),
  role: z.enum(['all', 'api', 'worker']).default('all'),
  environment: z.enum(environments).default('test'),
  demo: z.boolean().default(true),
  tlsCert: z.string().optional(),
  tlsKey: z.string().optional(),
  behindProxy: count.pipe(z.int().min(1).max(10)).optional(),
});

/** The three rate limits of the API, per window of 60 seconds. */
const RateLimits = {
  SORTIE_LIMIT_READS_PER_KEY: count.optional(),
  SORTIE_LIMIT_READS_PER_ACCOUNT: count.optional(),
  SORTIE_LIMIT_WRITES_PER_KEY: count.optional(),
};

const secret = z.string().transform(createSecret);

const Variables = z.object({
  DATABASE_URL: z.string().min(1).optional(),
  SORTIE_CATALOGUE: z.string().min(1).optional(),
  SORTIE_EDGE_RATE: count.pipe(z.int().min(1)).default(100),
  SORTIE_EDGE_BURST: count.pipe(z.int().min(1)).default(300),
  SORTIE_FINGERPRINT_KEY: secret.optional(),
  SORTIE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  SORTIE_VAULT_KEY: secret.optional(),
  ...RateLimits,
});

export type UpFlags = z.input<typeof Flags>;

export interface RateLimits {
  readsPerKey: number;
  readsPerAccount: number;
  writesPerKey: number;
}

/** The service's own keys as the operator wrote them. */
export interface SecretVariables {
  SORTIE_FINGERPRINT_KEY: Secret | undefined;
  SORTIE_VAULT_KEY: Secret | undefined;
}

export interface Config {
  host: string;
  port: number;
  opsPort: number;
  rangePort: number;
  dataDir: string;
  role: 'all' | 'api' | 'worker';
  environment: Environment;
  demo: boolean;
  tls: { certFile: string; keyFile: string } | undefined;
  /** How many proxies in front of us may be believed about the caller's address. */
  trustedHops: number;
  databaseUrl: string | undefined;
  secretVariables: SecretVariables;
  catalogue: Catalogue;
  edge: { rate: number; burst: number };
  rateLimits: RateLimits;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
}

function parse<T extends z.ZodType>(schema: T, input: unknown, describe: (name: string) => string): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new StartupError(`${describe(String(issue?.path[0] ?? ''))}: ${issue?.message ?? 'is invalid'}`);
}

const asFlag = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function readTls({ tlsCert, tlsKey }: z.output<typeof Flags>): Config['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new StartupError('--tls-cert and --tls-key go together: give both, or neither.');
  }
  return { certFile: tlsCert, keyFile: tlsKey };
}

/** API keys travel in every request, so plain HTTP is only spoken where nobody else can listen. */
function refusePlainExposure(host: string, tls: Config['tls'], behindProxy: number | undefined): void {
  if (isLoopback(host) || tls || behindProxy !== undefined) return;
  throw new StartupError(
    `--host ${host} is reachable from other machines: give --tls-cert and --tls-key, ` +
      'or --behind-proxy N when N proxies in front of it terminate TLS.',
  );
}

function readRateLimits(variables: z.output<typeof Variables>, environment: Environment): RateLimits {
  const changed = Object.keys(RateLimits).filter((name) => variables[name as keyof typeof RateLimits] !== undefined);
  if (changed.length > 0 && environment !== 'test') {
    throw new StartupError(`${changed[0]}: rate limits can only be changed in environment test.`);
  }
  return {
    readsPerKey: variables.SORTIE_LIMIT_READS_PER_KEY ?? rateLimits.readsPerKey,
    readsPerAccount: variables.SORTIE_LIMIT_READS_PER_ACCOUNT ?? rateLimits.readsPerAccount,
    writesPerKey: variables.SORTIE_LIMIT_WRITES_PER_KEY ?? rateLimits.writesPerKey,
  };
}

/** The one place that reads the server's environment variables. */
export function readConfig(flags: UpFlags, variables: NodeJS.ProcessEnv = process.env): Config {
  const chosen = parse(Flags, flags, asFlag);
  // An empty variable is how a shell or a compose file leaves one out.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const env = parse(Variables, given, (name) => name);
  const tls = readTls(chosen);
  refusePlainExposure(chosen.host, tls, chosen.behindProxy);
  return Object.freeze({
    host: chosen.host,
    port: chosen.port,
    opsPort: chosen.opsPort,
    rangePort: chosen.rangePort,
    dataDir: path.resolve(chosen.data),
    role: chosen.role,
    environment: chosen.environment,
    demo: chosen.demo && chosen.environment === 'test',
    tls,
    trustedHops: chosen.behindProxy ?? 0,
    databaseUrl: env.DATABASE_URL,
    secretVariables: {
      SORTIE_FINGERPRINT_KEY: env.SORTIE_FINGERPRINT_KEY,
      SORTIE_VAULT_KEY: env.SORTIE_VAULT_KEY,
    },
    catalogue: readCatalogue(env.SORTIE_CATALOGUE),
    edge: { rate: env.SORTIE_EDGE_RATE, burst: env.SORTIE_EDGE_BURST },
    rateLimits: readRateLimits(env, chosen.environment),
    logLevel: env.SORTIE_LOG_LEVEL,
  });
}
