import { randomBytes, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { hashSecret } from '../keys/key-format.ts';

const MAX_REMEMBERED = 10_000;

/** Immutable facts about a key, which can be cached indefinitely. */
interface KeyFacts {
  secretHash: Buffer;
  accountId: string;
}

/**
 * Returns a function that compares a presented secret with the stored hash and resolves to the key's account. Caches
 * immutable facts only; every request reads the mutable ones again.
 */
export function createSecretCheck(pool: pg.Pool): (apiKeyId: string, secret: string) => Promise<string | undefined> {
  const remembered = new Map<string, KeyFacts>();
  const unknownKey: KeyFacts = { secretHash: randomBytes(32), accountId: '' };

  async function lookUp(apiKeyId: string): Promise<KeyFacts> {
    const { rows } = await pool.query<{ secret_hash: Buffer; account_id: string }>({
      name: 'key-facts',
      text: 'select secret_hash, account_id from api_key where id = $1',
      values: [apiKeyId],
    });
    return rows[0] ? { secretHash: rows[0].secret_hash, accountId: rows[0].account_id } : unknownKey;
  }

  return async (apiKeyId, secret) => {
    const hash = hashSecret(secret);
    const known = remembered.get(apiKeyId);
    if (known && timingSafeEqual(hash, known.secretHash)) return known.accountId;
    // A wrong secret always costs a lookup, whether the key exists, is cached, or neither, so that the duration reveals
    // nothing.
    const facts = await lookUp(apiKeyId);
    if (!timingSafeEqual(hash, facts.secretHash) || facts === unknownKey) return undefined;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(apiKeyId, facts);
    return facts.accountId;
  };
}
