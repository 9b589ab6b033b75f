import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** A key of the service. Its id is stored with everything made with it, so that keys can be rotated. */
export interface ServiceKey {
  readonly id: string;
  /** A KeyObject, since logs and inspectors do not show its content. */
  readonly key: KeyObject;
}

/** The keys that wrap data keys. Older keys only unwrap, and are kept while they still wrap a data key. */
export interface VaultKeys {
  /** Wraps all new data keys. */
  readonly current: ServiceKey;
  find(id: string): ServiceKey | undefined;
  /** The current one comes first. */
  all(): readonly ServiceKey[];
}

export const KEY_BYTES = 32;

/** Derives the id from the key itself, so that it is the same wherever the key is stored. */
export function toServiceKey(bytes: Buffer): ServiceKey {
  const key = createSecretKey(bytes);
  const id = createHmac('sha256', key).update('sortie key id').digest('hex').slice(0, 16);
  return Object.freeze({ id, key });
}

/** Derives a key from one that all nodes share, so that nothing else has to be stored or configured. */
export function deriveKey({ key }: Pick<ServiceKey, 'key'>, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key.export(), '', purpose, KEY_BYTES)));
}

/**
 * Returns the bytes; undefined for invalid input. Node decodes leniently, and a key with a typo must not become a
 * different key.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES && bytes.toString('base64') === text ? bytes : undefined;
}

/** Returns vault keys that do not change while the process runs. */
export function fixedVaultKeys(current: ServiceKey, older: readonly ServiceKey[] = []): VaultKeys {
  const keys = [current, ...older.filter(({ id }) => id !== current.id)];
  return { current, find: (id) => keys.find((key) => key.id === id), all: () => keys };
}
