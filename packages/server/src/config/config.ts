import path from 'node:path';
import { rateLimits, type SignUpMode } from '@sortie/contract';
import type { Network, SandboxRule } from '@sortie/engine';
import { z } from 'zod';
import { type Catalogue, readCatalogue } from '../billing/catalogue.ts';
import { type ModelSettings, ModelVariables, readModels } from '../billing/model-settings.ts';
import { StartupError } from '../errors/startup-error.ts';
import { readAuthorities } from '../platform/authorities.ts';
import { type ListenerSettings, readListener } from '../platform/listener-settings.ts';
import { type MailSettings, readMail } from '../platform/mail-settings.ts';
import { type OidcSettings, readOidc } from '../platform/oidc-settings.ts';
import { createSecret, type Secret } from '../platform/secret.ts';
import { refuseChangedPromises, refusePlainExposure, requireContact, requirePublicUrl } from './refusals.ts';
import { type Environment, Flags, type UpFlags, Variables } from './variables.ts';

export interface RateLimits {
  readsPerKey: number;
  readsPerAccount: number;
  writesPerKey: number;
}

/** The service's own keys, as the operator sets them. */
export interface SecretVariables {
  SORTIE_FINGERPRINT_KEY: Secret | undefined;
  /** Defaults to one derived from SORTIE_FINGERPRINT_KEY. */
  SORTIE_SIGNING_KEY?: Secret | undefined;
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
  /** The origin under which browsers reach the dashboard, if it differs from the listening address. */
  publicUrl: string | undefined;
  /** Who may sign up in the dashboard. */
  signUp: SignUpMode;
  secretVariables: SecretVariables;
  /** Ids of vault keys that are lost although they still wrap stored test accounts. */
  lostVaultKeys: readonly string[];
  catalogue: Catalogue;
  edge: { rate: number; burst: number };
  rateLimits: RateLimits;
  starts: {
    /** How long an attempt at a start owns its idempotency key, and how long the key is held after a failure. */
    claimHeldMs: number;
    /** Age at which the service gives up a run that was never handed over. */
    givenUpAfterMs: number;
  };
  worker: {
    /** Number of concurrent pentests on this node. */
    pentestSlots: number;
    scanSlots: number;
    /** Limits per address and port, across all nodes and host names. */
    scansPerAddress: { atOnce: number; anHour: number };
    /** How long a worker without heartbeats keeps its runs. */
    leaseMs: number;
    /** Time limit of an engine for one step. */
    stepLimitMs: number;
    engineMemoryMegabytes: number;
    /** Interval between ownership checks of a run's target. */
    ownershipEveryMs: number;
    /** Path of the browser's executable. */
    chromium: string;
    /** In `live`, the browser opens targets only within Chromium's sandbox. */
    sandbox: SandboxRule;
  };
  /** Retention of findings' evidence, in days. */
  evidenceDays: number;
  /** Network settings of engines, including the addresses they may contact. */
  network: Network;
  /** Language models of the planner, by depth. Without one, the engine plans without a model. */
  models: ModelSettings;
  /** Null if this node does not listen for callbacks. */
  listener: ListenerSettings | null;
  /** Null without single sign-on. */
  oidc: OidcSettings | null;
  /** Null if this node sends no mails. */
  mail: MailSettings | null;
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

function readTls({ tlsCert, tlsKey }: z.output<typeof Flags>): Config['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    const missing = tlsCert === undefined ? '--tls-cert' : '--tls-key';
    throw new StartupError(`${missing} is missing: --tls-cert and --tls-key go together. Give both, or neither.`);
  }
  return { certFile: tlsCert, keyFile: tlsKey };
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

/** Returns the User-Agent that identifies our requests in a target's log, with a contact. */
function userAgentOf(contact: string | undefined): string {
  return `Sortie/1.0 (security scan; ${contact ?? 'no contact was set by the operator'})`;
}

/** Reads only the vault keys of the server's settings, for commands that need nothing else. */
export function readSecretVariables(variables: NodeJS.ProcessEnv = process.env): SecretVariables {
  const read = (name: keyof SecretVariables) => (variables[name] ? createSecret(variables[name]) : undefined);
  return {
    SORTIE_FINGERPRINT_KEY: read('SORTIE_FINGERPRINT_KEY'),
    SORTIE_SIGNING_KEY: read('SORTIE_SIGNING_KEY'),
    SORTIE_VAULT_KEY: read('SORTIE_VAULT_KEY'),
    SORTIE_VAULT_OLD_KEYS: read('SORTIE_VAULT_OLD_KEYS'),
  };
}

/** Reads only the models of this node's settings, for commands that need nothing else. */
export function readModelSettings(variables: NodeJS.ProcessEnv = process.env): ModelSettings {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  return readModels(
    parse(z.object(ModelVariables), given, (name) => name),
    given,
  );
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
  const config: Config = {
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
    signUp: env.SORTIE_SIGN_UP ?? (chosen.environment === 'live' ? 'invitation' : 'open'),
    secretVariables: {
      SORTIE_FINGERPRINT_KEY: env.SORTIE_FINGERPRINT_KEY,
      SORTIE_SIGNING_KEY: env.SORTIE_SIGNING_KEY,
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
    models: readModels(env, given),
    listener: readListener(env),
    mail: readMail(env),
    oidc: readOidc(env),
    tokenHosts: env.SORTIE_ALLOW_TOKEN_HOSTS ?? [],
    // At a terminal, one line per request would scroll the startup messages away.
    logLevel: env.SORTIE_LOG_LEVEL ?? (isTerminal ? 'warn' : 'info'),
  };
  requirePublicUrl(config, chosen);
  return Object.freeze(config);
}
