import { isIP } from 'node:net';
import path from 'node:path';
import { rateLimits } from '@sortie/contract';
import { type Network, parseAllowList, type SandboxRule } from '@sortie/engine';
import { z } from 'zod';
import { type Catalogue, readCatalogue } from './billing/catalogue.ts';
import { StartupError } from './errors/startup-error.ts';
import { readAuthorities } from './platform/authorities.ts';
import { type ListenerSettings, ListenerVariables, readListener } from './platform/listener-settings.ts';
import { createSecret, type Secret } from './platform/secret.ts';

export const environments = ['live', 'test'] as const;
export type Environment = (typeof environments)[number];

function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.int().min(min, error).max(max, error));
}

const count = whole(0, 999_999_999);
const positive = whole(1, 999_999_999);
const port = whole(0, 65_535);
const text = z.string().min(1, 'must not be empty');

/** The flags of `sortie up`, as given on the command line. */
const Flags = z.strictObject({
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
const RateLimits = {
  SORTIE_LIMIT_READS_PER_KEY: count.optional(),
  SORTIE_LIMIT_READS_PER_ACCOUNT: count.optional(),
  SORTIE_LIMIT_WRITES_PER_KEY: count.optional(),
};

/** Durations in milliseconds: the first two on the service clock, the others on the real one. */
const Times = {
  SORTIE_CLAIM_HELD_MS: positive.optional(),
  SORTIE_GIVEN_UP_AFTER_MS: positive.optional(),
  SORTIE_LEASE_MS: positive.optional(),
  SORTIE_OWNERSHIP_EVERY_MS: positive.optional(),
  SORTIE_STEP_LIMIT_MS: positive.optional(),
};

/** The driver also accepts a URL without a host, which is then in a query parameter. */
function isPostgresAddress(address: string): boolean {
  return /^postgres(ql)?:\/\//.test(address) && URL.canParse(address.replace('@/', '@localhost/'));
}

const secret = z.string().transform(createSecret);

const HOST_WITH_PORT = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/;

/** Host names or addresses, each with a port if it is not the default one. */
const hostList = z
  .string()
  .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
  .refine((hosts) => hosts.every((host) => HOST_WITH_PORT.test(host) && URL.parse(`http://${host}/`)?.host === host), {
    error: 'must be hosts separated by commas, such as login.example.com or 127.0.0.1:8080',
  });

const splitList = (text: string) => text.split(',').map((entry) => entry.trim());

function isAllowList(entries: string[]): boolean {
  try {
    parseAllowList(entries);
    return true;
  } catch {
    return false;
  }
}

const addressRanges = z.string().transform(splitList).refine(isAllowList, {
  error: 'must be address ranges separated by commas, such as 10.0.0.0/8 or 127.0.0.1/32:8080',
});

/** An IPv6 address must have no port. */
const isNameServer = (entry: string) => isIP(entry) !== 0 || isIP(entry.replace(/:\d{1,5}$/, '')) === 4;

const nameServers = z
  .string()
  .transform(splitList)
  .refine((entries) => entries.every(isNameServer), {
    error: 'must be addresses of name servers separated by commas, such as 9.9.9.9 or 127.0.0.1:5353',
  });

const isOrigin = (text: string) => /^https?:\/\//.test(text) && URL.parse(text)?.origin === text;

const publicUrl = z
  .string()
  .transform((text) => text.replace(/\/$/, ''))
  .refine(isOrigin, 'must be an origin without a path, such as https://sortie.example.com');

/** Ids of vault keys, as printed by the server. */
const keyIds = z
  .string()
  .transform(splitList)
  .refine(
    (ids) => ids.every((id) => /^[0-9a-f]{16}$/.test(id)),
    'must be ids of vault keys (16 hex digits each) separated by commas',
  );

const Variables = z.object({
  DATABASE_URL: z
    .string()
    .refine(isPostgresAddress, 'must look like postgres://user:password@host:5432/database')
    .optional(),
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
  SORTIE_VAULT_KEY: secret.optional(),
  SORTIE_VAULT_LOST_KEYS: keyIds.optional(),
  SORTIE_VAULT_OLD_KEYS: secret.optional(),
  ...ListenerVariables,
  ...RateLimits,
  ...Times,
});

export type UpFlags = z.input<typeof Flags>;

export interface RateLimits {
  readsPerKey: number;
  readsPerAccount: number;
  writesPerKey: number;
}

/** The service's own keys, as set by the operator. */
export interface SecretVariables {
  SORTIE_FINGERPRINT_KEY: Secret | undefined;
  SORTIE_VAULT_KEY: Secret | undefined;
  /** Comma-separated. These keys only open data keys that they have wrapped. */
  SORTIE_VAULT_OLD_KEYS?: Secret | undefined;
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
  /** Number of proxies in front of the server that are trusted to report the client's address. */
  trustedHops: number;
  databaseUrl: string | undefined;
  /** The origin under which browsers reach the dashboard, if it differs from the address that the server listens on. */
  publicUrl: string | undefined;
  secretVariables: SecretVariables;
  /** Ids of vault keys that are lost, although stored test accounts are still wrapped by them. */
  lostVaultKeys: readonly string[];
  catalogue: Catalogue;
  edge: { rate: number; burst: number };
  rateLimits: RateLimits;
  starts: {
    /** How long a start may take before another attempt may take over, and how long a key is held after a failure. */
    claimHeldMs: number;
    /** The age at which a run that was never handed over is given up. */
    givenUpAfterMs: number;
  };
  worker: {
    /** Number of concurrent pentests on this node. */
    pentestSlots: number;
    scanSlots: number;
    /** Limits per connected address and port, across all nodes and names. */
    scansPerAddress: { atOnce: number; anHour: number };
    /** How long a worker without heartbeats keeps its runs. */
    leaseMs: number;
    /** Time limit of an engine for one step. */
    stepLimitMs: number;
    engineMemoryMegabytes: number;
    /** How often the ownership of a run's target is checked again. */
    ownershipEveryMs: number;
    /** Path of the browser's executable. */
    chromium: string;
    /** In `live`, the browser never opens a target without Chromium's sandbox. */
    sandbox: SandboxRule;
  };
  /** Retention of findings' evidence, in days. */
  evidenceDays: number;
  /** Network settings of engines, including the addresses they may contact. */
  network: Network;
  /** Null if this node does not listen for callbacks. */
  listener: ListenerSettings | null;
  /** Hosts, with their port if it is not the default one, from which OAuth tokens may be requested over plain HTTP. */
  tokenHosts: readonly string[];
  logLevel: 'debug' | 'info' | 'warn' | 'error';
}

function parse<T extends z.ZodType>(schema: T, input: unknown, describe: (name: string) => string): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new StartupError(`${describe(String(issue?.path[0] ?? ''))} ${issue?.message ?? 'is invalid'}`);
}

const asFlag = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function readTls({ tlsCert, tlsKey }: z.output<typeof Flags>): Config['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    const missing = tlsCert === undefined ? '--tls-cert' : '--tls-key';
    throw new StartupError(`${missing} is missing: --tls-cert and --tls-key go together. Give both, or neither.`);
  }
  return { certFile: tlsCert, keyFile: tlsKey };
}

/** Refuses plain HTTP on a reachable address, since every request carries an API key. */
function refusePlainExposure(host: string, tls: Config['tls'], behindProxy: number | undefined): void {
  if (isLoopback(host) || tls || behindProxy !== undefined) return;
  throw new StartupError(
    `API keys would travel unencrypted: --host ${host} is reachable from other machines. Give --tls-cert and ` +
      '--tls-key, or --behind-proxy N if N proxies in front of the server terminate TLS.',
  );
}

/** Limits and times that the contract promises can be changed in tests only. */
function refuseChangedPromises(variables: z.output<typeof Variables>, environment: Environment): void {
  const names = Object.keys({ ...RateLimits, ...Times }) as (keyof typeof variables)[];
  const changed = names.find((name) => variables[name] !== undefined);
  if (changed !== undefined && environment !== 'test') {
    throw new StartupError(`${changed} can only be changed in environment test. Unset it.`);
  }
}

function readRateLimits(variables: z.output<typeof Variables>): RateLimits {
  return {
    readsPerKey: variables.SORTIE_LIMIT_READS_PER_KEY ?? rateLimits.readsPerKey,
    readsPerAccount: variables.SORTIE_LIMIT_READS_PER_ACCOUNT ?? rateLimits.readsPerAccount,
    writesPerKey: variables.SORTIE_LIMIT_WRITES_PER_KEY ?? rateLimits.writesPerKey,
  };
}

function readOwnCatalogue(file: string | undefined): Catalogue {
  try {
    return readCatalogue(file);
  } catch (error) {
    if (!(error instanceof StartupError && error.cause instanceof z.ZodError)) throw error;
    const hint = 'An entry replaces the default of its name as a whole: give all of its members.';
    throw new StartupError(`${error.message} ${hint}`, { cause: error.cause });
  }
}

const sandboxIn = (environment: Environment): SandboxRule => (environment === 'live' ? 'required' : 'preferred');

/** Requires a contact, since owners of targets that are scanned without consent must be able to reach the operator. */
function requireContact(contact: string | undefined, { environment, role }: z.output<typeof Flags>): void {
  if (contact !== undefined || environment === 'test' || role === 'api') return;
  throw new StartupError(
    'SORTIE_CONTACT is not set: in environment live, every request to a target names a contact. Set it to an e-mail address or a URL.',
  );
}

/** Identifies our requests in a target's log, with a contact. */
function userAgentOf(contact: string | undefined): string {
  return `Sortie/1.0 (security scan; ${contact ?? 'no contact was set by the operator'})`;
}

/** For commands that need only the vault keys of the server's settings. */
export function readSecretVariables(variables: NodeJS.ProcessEnv = process.env): SecretVariables {
  const read = (name: keyof SecretVariables) => (variables[name] ? createSecret(variables[name]) : undefined);
  return {
    SORTIE_FINGERPRINT_KEY: read('SORTIE_FINGERPRINT_KEY'),
    SORTIE_VAULT_KEY: read('SORTIE_VAULT_KEY'),
    SORTIE_VAULT_OLD_KEYS: read('SORTIE_VAULT_OLD_KEYS'),
  };
}

/** Reads and validates all settings. No other code reads the server's environment variables. */
export function readConfig(
  flags: UpFlags,
  variables: NodeJS.ProcessEnv = process.env,
  { isTerminal = process.stderr.isTTY }: { isTerminal?: boolean } = {},
): Config {
  const chosen = parse(Flags, flags, asFlag);
  // Shells and compose files pass an unset variable as an empty one.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const env = parse(Variables, given, (name) => name);
  const tls = readTls(chosen);
  refusePlainExposure(chosen.host, tls, chosen.behindProxy);
  refuseChangedPromises(env, chosen.environment);
  requireContact(env.SORTIE_CONTACT, chosen);
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
    publicUrl: env.SORTIE_PUBLIC_URL,
    secretVariables: {
      SORTIE_FINGERPRINT_KEY: env.SORTIE_FINGERPRINT_KEY,
      SORTIE_VAULT_KEY: env.SORTIE_VAULT_KEY,
      SORTIE_VAULT_OLD_KEYS: env.SORTIE_VAULT_OLD_KEYS,
    },
    lostVaultKeys: env.SORTIE_VAULT_LOST_KEYS ?? [],
    catalogue: readOwnCatalogue(env.SORTIE_CATALOGUE),
    edge: { rate: env.SORTIE_EDGE_RATE, burst: env.SORTIE_EDGE_BURST },
    rateLimits: readRateLimits(env),
    starts: {
      claimHeldMs: env.SORTIE_CLAIM_HELD_MS ?? 120_000,
      givenUpAfterMs: env.SORTIE_GIVEN_UP_AFTER_MS ?? 300_000,
    },
    worker: {
      pentestSlots: env.SORTIE_PENTEST_SLOTS,
      scanSlots: env.SORTIE_SCAN_SLOTS,
      scansPerAddress: { atOnce: env.SORTIE_SCANS_PER_ADDRESS, anHour: env.SORTIE_SCANS_PER_ADDRESS_HOUR },
      leaseMs: env.SORTIE_LEASE_MS ?? 30_000,
      stepLimitMs: env.SORTIE_STEP_LIMIT_MS ?? 15 * 60_000,
      engineMemoryMegabytes: env.SORTIE_ENGINE_MEMORY_MB,
      ownershipEveryMs: env.SORTIE_OWNERSHIP_EVERY_MS ?? 15 * 60_000,
      chromium: env.SORTIE_CHROMIUM,
      sandbox: sandboxIn(chosen.environment),
    },
    evidenceDays: env.SORTIE_EVIDENCE_DAYS,
    network: {
      allowAddresses: env.SORTIE_ALLOW_ADDRESSES ?? [],
      resolvers: env.SORTIE_RESOLVERS ?? [],
      userAgent: userAgentOf(env.SORTIE_CONTACT),
      ...(env.SORTIE_CA_FILE !== undefined && { authorities: readAuthorities(env.SORTIE_CA_FILE) }),
    },
    listener: readListener(env),
    tokenHosts: env.SORTIE_ALLOW_TOKEN_HOSTS ?? [],
    // At a terminal, one line per request would scroll the startup messages away.
    logLevel: env.SORTIE_LOG_LEVEL ?? (isTerminal ? 'warn' : 'info'),
  });
}
