import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../db/embedded/database-file.ts';
import { StartupError } from '../errors/startup-error.ts';
import { randomBase62 } from '../platform/new-id.ts';
import { decodeBase64, KEY_BYTES, type ServiceKey, toServiceKey, type VaultKeys } from './service-key.ts';

const StoredKey = z.strictObject({ id: z.string(), key: z.string() }).transform(({ id, key }, context) => {
  const bytes = decodeBase64(key);
  const stored = bytes && toServiceKey(bytes);
  if (stored?.id === id) return stored;
  context.addIssue({ code: 'custom', message: 'the key does not fit its id' });
  return z.NEVER;
});

/** The current vault key comes first. */
const SecretsFile = z.strictObject({
  fingerprintKey: StoredKey,
  vaultKeys: z.tuple([StoredKey]).rest(StoredKey),
  /** Set by the first rotation; before that, the signing key is derived from the fingerprint key. */
  signingKey: StoredKey.optional(),
});

type FileSecrets = z.output<typeof SecretsFile>;

/** The earlier format with a single vault key; the next change of the file converts it. */
const OlderFile = z
  .strictObject({ fingerprintKey: StoredKey, vaultKey: StoredKey })
  .transform(({ fingerprintKey, vaultKey }): FileSecrets => ({ fingerprintKey, vaultKeys: [vaultKey] }));

const AnyFile = z.union([SecretsFile, OlderFile]);

const pathIn = (dataDir: string) => path.join(dataDir, 'secrets.json');

/** Returns the service's own keys; undefined if there is no file. Throws a `StartupError` if the file is damaged. */
export function readSecretsFile(dataDir: string): FileSecrets | undefined {
  const file = pathIn(dataDir);
  try {
    const secrets = AnyFile.parse(JSON.parse(readFileSync(file, 'utf8')));
    // A file restored from a backup may be readable by others.
    chmodSync(file, 0o600);
    return secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    // Omits the cause, since a parser error quotes its input.
    throw new StartupError(
      `${file} is damaged. Restore it from the backup that belongs to this database. If there is no backup, remove the ` +
        'file: new keys are created, and the stored test accounts are lost.',
    );
  }
}

/**
 * Creates the keys. If several servers start concurrently on a new folder, the first one writes the file and the others
 * use it.
 */
export async function createSecretsFile(dataDir: string): Promise<FileSecrets> {
  const file = pathIn(dataDir);
  const complete = await writeBeside(file, { fingerprintKey: createKey(), vaultKeys: [createKey()] });
  try {
    await link(complete, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(complete);
  }
  // The servers that use an existing file sync it as well: nothing may be sealed with a key that a power failure could
  // still erase.
  await syncFolder(dataDir);
  return requireSecretsFile(dataDir);
}

/** Returns the service's own keys. Throws if their file is missing: new ones would open nothing. */
export function requireSecretsFile(dataDir: string): FileSecrets {
  const secrets = readSecretsFile(dataDir);
  if (secrets) return secrets;
  throw new StartupError(`${pathIn(dataDir)} is missing. Restore it from the backup that belongs to this database.`);
}

/**
 * Returns the vault keys of a file that a command may change at run time: an unknown key makes it read the file again.
 * The read is synchronous, but the file is small, and a new key causes it only once.
 */
export function fileVaultKeys(dataDir: string, first: FileSecrets): VaultKeys {
  let keys: FileSecrets['vaultKeys'] = first.vaultKeys;
  const findKnown = (id: string) => keys.find((key) => key.id === id);
  return {
    get current() {
      return keys[0];
    },
    find(id) {
      const known = findKnown(id);
      if (known) return known;
      keys = readSecretsFile(dataDir)?.vaultKeys ?? keys;
      return findKnown(id);
    },
    all: () => keys,
  };
}

/**
 * Adds a new current key. Callers must hold the vault's lock, since this function and the next rewrite the whole file.
 */
export async function addVaultKey(dataDir: string): Promise<ServiceKey> {
  const { vaultKeys, ...others } = requireSecretsFile(dataDir);
  const added = createKey();
  await replaceSecretsFile(dataDir, { ...others, vaultKeys: [added, ...vaultKeys] });
  return added;
}

/** Removes older keys, but never the current one. */
export async function removeVaultKeys(dataDir: string, ids: readonly string[]): Promise<void> {
  const { vaultKeys, ...others } = requireSecretsFile(dataDir);
  const [current, ...older] = vaultKeys;
  const kept = older.filter(({ id }) => !ids.includes(id));
  await replaceSecretsFile(dataDir, { ...others, vaultKeys: [current, ...kept] });
}

/** Replaces the key from which the signing key is derived. Callers must hold the vault's lock. */
export async function replaceSigningKey(dataDir: string): Promise<void> {
  await replaceSecretsFile(dataDir, { ...requireSecretsFile(dataDir), signingKey: createKey() });
}

/** Returns a value that changes with every change of the file. */
export function versionOfSecretsFile(dataDir: string): string {
  const { ino, mtimeNs } = statSync(pathIn(dataDir), { bigint: true });
  return `${ino} ${mtimeNs}`;
}

async function replaceSecretsFile(dataDir: string, secrets: FileSecrets): Promise<void> {
  const file = pathIn(dataDir);
  const complete = await writeBeside(file, secrets, (handle) => keepOwner(file, handle));
  try {
    await rename(complete, file);
  } catch (error) {
    await rm(complete, { force: true });
    throw error;
  }
  await syncFolder(dataDir);
}

/** Keeps the owner, so that a command run as root does not take the file away from the server's user. */
async function keepOwner(file: string, handle: FileHandle): Promise<void> {
  const [before, now] = [await stat(file), await handle.stat()];
  if (before.uid !== now.uid || before.gid !== now.gid) await handle.chown(before.uid, before.gid);
}

const createKey = () => toServiceKey(randomBytes(KEY_BYTES));

async function writeBeside(
  file: string,
  { fingerprintKey, vaultKeys, signingKey }: FileSecrets,
  prepare: (handle: FileHandle) => Promise<void> = async () => undefined,
): Promise<string> {
  const content = {
    fingerprintKey: toStored(fingerprintKey),
    vaultKeys: vaultKeys.map(toStored),
    ...(signingKey && { signingKey: toStored(signingKey) }),
  };
  const complete = `${file}.${randomBase62(8)}`;
  const handle = await open(complete, 'wx', 0o600);
  try {
    await prepare(handle);
    await handle.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return complete;
}

function toStored({ id, key }: ServiceKey): z.input<typeof StoredKey> {
  return { id, key: key.export().toString('base64') };
}
