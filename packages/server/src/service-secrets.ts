import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { SecretVariables } from './config.ts';
import { syncFolder } from './db/embedded/database-file.ts';
import { randomBase62 } from './new-id.ts';
import type { Secret } from './secret.ts';
import { StartupError } from './startup-error.ts';

/** A key of the service. Its id goes with everything made with it, so that another key can take over one day. */
export interface ServiceKey {
  readonly id: string;
  /** Not a string or a buffer: neither a log nor an inspector shows what is in it. */
  readonly key: KeyObject;
}

export interface ServiceSecrets {
  /** Tells whether two requests are the same without keeping what they say. */
  fingerprintKey: ServiceKey;
  /** Wraps the data keys of stored test accounts. */
  vaultKey: ServiceKey;
}

interface Sources {
  /** Exists already: whoever starts the database has made it. */
  dataDir: string;
  databaseUrl: string | undefined;
  variables: SecretVariables;
}

/**
 * The keys belong to the database: they lie beside the embedded one, and the nodes that share another one are given
 * the same by their operator.
 */
export async function loadServiceSecrets({ dataDir, databaseUrl, variables }: Sources): Promise<ServiceSecrets> {
  if (databaseUrl === undefined) return keepInFile(path.join(dataDir, 'secrets.json'));
  return readVariables(variables);
}

const KEY_BYTES = 32;

/** Made from the key itself, so that a key keeps its id wherever it is moved. */
function toServiceKey(bytes: Buffer): ServiceKey {
  const key = createSecretKey(bytes);
  const id = createHmac('sha256', key).update('sortie key id').digest('hex').slice(0, 16);
  return Object.freeze({ id, key });
}

function readVariables(variables: SecretVariables): ServiceSecrets {
  const fingerprintKey = readVariable(variables, 'SORTIE_FINGERPRINT_KEY');
  const vaultKey = readVariable(variables, 'SORTIE_VAULT_KEY');
  if (fingerprintKey.id === vaultKey.id) {
    throw new StartupError('SORTIE_FINGERPRINT_KEY and SORTIE_VAULT_KEY must be two different keys.');
  }
  return { fingerprintKey, vaultKey };
}

const HOW_TO_MAKE_ONE = 'Make one with `openssl rand -base64 32` and give it to every node that uses this database.';

function readVariable(variables: SecretVariables, name: keyof SecretVariables): ServiceKey {
  const secret = variables[name];
  if (!secret) throw new StartupError(`With DATABASE_URL the server needs ${name}. ${HOW_TO_MAKE_ONE}`);
  const bytes = decodeKey(secret);
  if (!bytes) throw new StartupError(`${name} must be ${KEY_BYTES} bytes in base64 or hex. ${HOW_TO_MAKE_ONE}`);
  return toServiceKey(bytes);
}

/** Node decodes as much as it can of anything; a key with a typing error in it must not become another key. */
function decodeKey(secret: Secret): Buffer | undefined {
  const text = secret.reveal().trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return decodeBase64(text);
}

function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES && bytes.toString('base64') === text ? bytes : undefined;
}

const StoredKey = z.strictObject({ id: z.string(), key: z.string() }).transform(({ id, key }, context) => {
  const bytes = decodeBase64(key);
  const stored = bytes && toServiceKey(bytes);
  if (stored?.id === id) return stored;
  context.addIssue({ code: 'custom', message: 'the key does not fit its id' });
  return z.NEVER;
});

const SecretsFile = z.strictObject({ fingerprintKey: StoredKey, vaultKey: StoredKey });

async function keepInFile(file: string): Promise<ServiceSecrets> {
  return (await readSecretsFile(file)) ?? createSecretsFile(file);
}

async function readSecretsFile(file: string): Promise<ServiceSecrets | undefined> {
  try {
    const secrets = SecretsFile.parse(JSON.parse(await readFile(file, 'utf8')));
    // A copy from a backup may have come back readable for others.
    await chmod(file, 0o600);
    return secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    // Without the error as its cause: a parser quotes what it read.
    throw new StartupError(
      `${file} is damaged. Restore it from the backup that belongs to this database. Without it, stored test ` +
        'accounts cannot be opened any more; if there is no backup, remove the file and new keys are made.',
    );
  }
}

/** Of several servers that start at once on a fresh folder, the first decides and the others go by its file. */
async function createSecretsFile(file: string): Promise<ServiceSecrets> {
  const complete = await writeBeside(file, { fingerprintKey: createStoredKey(), vaultKey: createStoredKey() });
  try {
    await link(complete, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(complete);
  }
  // Also by those that came second: nothing may be sealed with a key that a power failure could still take away.
  await syncFolder(path.dirname(file));
  const secrets = await readSecretsFile(file);
  if (!secrets) throw new StartupError(`${file} was removed while the server started.`);
  return secrets;
}

function createStoredKey(): z.input<typeof StoredKey> {
  const bytes = randomBytes(KEY_BYTES);
  return { id: toServiceKey(bytes).id, key: bytes.toString('base64') };
}

async function writeBeside(file: string, content: z.input<typeof SecretsFile>): Promise<string> {
  const complete = `${file}.${randomBase62(8)}`;
  const handle = await open(complete, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return complete;
}
