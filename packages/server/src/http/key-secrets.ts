import { randomBytes, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { hashSecret } from '../keys/key-format.ts';

const MAX_REMEMBERED = 10_000;

/**
 * Compares a presented secret with the stored hash. A key's hash never changes, so it may be remembered for good;
 * everything about a key that can change is read anew for every request.
 */
export function createSecretCheck(pool: pg.Pool): (apiKeyId: string, secret: string) => Promise<boolean> {
  const remembered = new Map<string, Buffer>();
  // Compared with when the key is unknown, so that a known id cannot be told from an unknown one by the time it takes.
  const nobodysHash = randomBytes(32);

  async function storedHash(apiKeyId: string): Promise<Buffer | undefined> {
    const known = remembered.get(apiKeyId);
    if (known) return known;
    const { rows } = await pool.query<{ secret_hash: Buffer }>({
      name: 'key-hash',
      text: 'select secret_hash from api_key where id = $1',
      values: [apiKeyId],
    });
    const hash = rows[0]?.secret_hash;
    if (hash) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(apiKeyId, hash);
    }
    return hash;
  }

  return async (apiKeyId, secret) => {
    const stored = await storedHash(apiKeyId);
    const matches = timingSafeEqual(hashSecret(secret), stored ?? nobodysHash);
    return matches && stored !== undefined;
  };
}
