import type { SecretVariables } from '../config/config.ts';
import { StartupError } from '../errors/startup-error.ts';
import { createSecret, type Secret } from '../platform/secret.ts';
import { createSecretsFile, fileVaultKeys, readSecretsFile, requireSecretsFile } from './secrets-file.ts';
import {
  decodeBase64,
  fixedVaultKeys,
  KEY_BYTES,
  type ServiceKey,
  toServiceKey,
  type VaultKeys,
} from './service-key.ts';
import { fileSigningSource, givenSigningSource, type SigningSource } from './signing-source.ts';

export { addVaultKey, removeVaultKeys } from './secrets-file.ts';
export { deriveKey, fixedVaultKeys, type ServiceKey, type VaultKeys } from './service-key.ts';

export interface ServiceSecrets {
  /** Detects equal requests without storing their content. */
  fingerprintKey: ServiceKey;
  /** Wrap the data keys of stored test accounts. */
  vaultKeys: VaultKeys;
  signing: SigningSource;
}

interface Sources {
  /** Must exist; the start of the database creates it. */
  dataDir: string;
  databaseUrl: string | undefined;
  variables: SecretVariables;
}

/**
 * Loads the keys, which belong to the database: they are stored beside the embedded one. Nodes that share another
 * database get the same keys from their operator.
 */
export async function loadServiceSecrets({ dataDir, databaseUrl, variables }: Sources): Promise<ServiceSecrets> {
  if (databaseUrl !== undefined) return readVariables(variables);
  const secrets = readSecretsFile(dataDir) ?? (await createSecretsFile(dataDir));
  const { fingerprintKey } = secrets;
  return { fingerprintKey, vaultKeys: fileVaultKeys(dataDir, secrets), signing: fileSigningSource(dataDir) };
}

/**
 * Returns the vault keys for commands beside a running server, from the same place. Never creates keys that the server
 * has not created.
 */
export function loadVaultKeys(dataDir: string | undefined, variables: SecretVariables): VaultKeys {
  if (dataDir !== undefined) return fileVaultKeys(dataDir, requireSecretsFile(dataDir));
  if (variables.SORTIE_VAULT_KEY) return readVaultKeys(variables);
  throw new StartupError('SORTIE_VAULT_KEY is not set. Set it and SORTIE_VAULT_OLD_KEYS as for the server.');
}

/**
 * Returns the key from which those of sign-in and mails are derived, for commands beside a running server. Never
 * creates one.
 */
export function loadFingerprintKey(dataDir: string | undefined, variables: SecretVariables): ServiceKey {
  if (dataDir !== undefined) return requireSecretsFile(dataDir).fingerprintKey;
  if (variables.SORTIE_FINGERPRINT_KEY) return readVariable(variables, 'SORTIE_FINGERPRINT_KEY');
  throw new StartupError('SORTIE_FINGERPRINT_KEY is not set. Set it as for the server.');
}

/** Returns the source of the signing key for commands beside a running server. Never creates one. */
export function loadSigningSource(dataDir: string | undefined, variables: SecretVariables): SigningSource {
  return dataDir === undefined ? readSigningSource(variables) : fileSigningSource(dataDir);
}

function readSigningSource(variables: SecretVariables): SigningSource {
  const own = variables.SORTIE_SIGNING_KEY && readKey(variables.SORTIE_SIGNING_KEY, 'SORTIE_SIGNING_KEY');
  return givenSigningSource(own ?? readVariable(variables, 'SORTIE_FINGERPRINT_KEY'));
}

function readVariables(variables: SecretVariables): ServiceSecrets {
  const fingerprintKey = readVariable(variables, 'SORTIE_FINGERPRINT_KEY');
  const vaultKeys = readVaultKeys(variables);
  if (vaultKeys.find(fingerprintKey.id)) {
    const name = vaultKeys.current.id === fingerprintKey.id ? 'SORTIE_VAULT_KEY' : 'SORTIE_VAULT_OLD_KEYS';
    throw new StartupError(
      `SORTIE_FINGERPRINT_KEY and ${name} are equal, but must be two different keys. Change one of them.`,
    );
  }
  return { fingerprintKey, vaultKeys, signing: readSigningSource(variables) };
}

function readVaultKeys(variables: SecretVariables): VaultKeys {
  const current = readVariable(variables, 'SORTIE_VAULT_KEY');
  const older = variables.SORTIE_VAULT_OLD_KEYS?.reveal().split(',') ?? [];
  return fixedVaultKeys(
    current,
    older.map((text) => readKey(createSecret(text), 'An entry of SORTIE_VAULT_OLD_KEYS', OLD_KEYS_CURE)),
  );
}

const HOW_TO_MAKE_ONE = 'Create one with `openssl rand -base64 32` and set it on every node that uses this database.';
const OLD_KEYS_CURE = 'Set it to earlier values of SORTIE_VAULT_KEY, separated by commas.';

function readVariable(variables: SecretVariables, name: keyof SecretVariables): ServiceKey {
  const secret = variables[name];
  if (!secret) throw new StartupError(`${name} is not set: it is required with DATABASE_URL. ${HOW_TO_MAKE_ONE}`);
  return readKey(secret, name);
}

function readKey(secret: Secret, what: string, cure = HOW_TO_MAKE_ONE): ServiceKey {
  const bytes = decodeKey(secret);
  if (!bytes) throw new StartupError(`${what} is not a key of ${KEY_BYTES} bytes in base64 or hex. ${cure}`);
  return toServiceKey(bytes);
}

function decodeKey(secret: Secret): Buffer | undefined {
  const text = secret.reveal().trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return decodeBase64(text);
}
