import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** A key of the service. Its id goes with everything made with it, so that another key can take over one day. */
export interface ServiceKey {
  readonly id: string;
  /** Not a string or a buffer: neither a log nor an inspector shows what is in it. */
  readonly key: KeyObject;
}

/** The keys that wrap data keys. Older ones only open, until nothing is wrapped by them any more. */
export interface VaultKeys {
  /** Wraps what is sealed from now on. */
  readonly current: ServiceKey;
  find(id: string): ServiceKey | undefined;
  /** The current one first. */
  all(): readonly ServiceKey[];
}

export const KEY_BYTES = 32;

/** Its id is made from the key itself, so that a key keeps it wherever it is moved. */
export function toServiceKey(bytes: Buffer): ServiceKey {
  const key = createSecretKey(bytes);
  const id = createHmac('sha256', key).update('sortie key id').digest('hex').slice(0, 16);
  return Object.freeze({ id, key });
}

/** Node decodes as much as it can of anything; a key with a typing error in it must not become another key. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES && bytes.toString('base64') === text ? bytes : undefined;
}

/** Keys that stay as they are for as long as the process runs. */
export function fixedVaultKeys(current: ServiceKey, older: readonly ServiceKey[] = []): VaultKeys {
  const keys = [current, ...older.filter(({ id }) => id !== current.id)];
  return { current, find: (id) => keys.find((key) => key.id === id), all: () => keys };
}
