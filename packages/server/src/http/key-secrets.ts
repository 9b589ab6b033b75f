import { randomBytes, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { hashSecret } from '../keys/key-format.ts';

const MAX_REMEMBERED = 10_000;

/** What never changes about a key, and may therefore be remembered for good. */
interface KeyFacts {
  secretHash: Buffer;
  accountId: string;
}

/**
 * Compares a presented secret with the stored hash and answers whose key it is. Everything about a key that can change
 * is read anew for every request.
 */
export function createSecretCheck(pool: pg.Pool): (apiKeyId: string, secret: string) => Promise<string | undefined> {
  const remembered = new Map<string, KeyFacts>();
  const nobody: KeyFacts = { secretHash: randomBytes(32), accountId: '' };

  async function lookUp(apiKeyId: string): Promise<KeyFacts> {
    const { rows } = await pool.query<{ secret_hash: Buffer; account_id: string }>({
      name: 'key-facts',
      text: 'select secret_hash, account_id from api_key where id = $1',
      values: [apiKeyId],
    });
    return rows[0] ? { secretHash: rows[0].secret_hash, accountId: rows[0].account_id } : nobody;
  }

  return async (apiKeyId, secret) => {
    const hash = hashSecret(secret);
    const known = remembered.get(apiKeyId);
    if (known && timingSafeEqual(hash, known.secretHash)) return known.accountId;
    // Whoever has the wrong secret waits for a look-up, whether the key exists, is remembered, or neither: the time it
    // takes must not tell.
    const facts = await lookUp(apiKeyId);
    if (!timingSafeEqual(hash, facts.secretHash) || facts === nobody) return undefined;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(apiKeyId, facts);
    return facts.accountId;
  };
}
