import { createHash, createHmac, getHashes } from 'node:crypto';
import type { SecretStart } from './canaries.ts';

function toCanonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCanonical);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, toCanonical(member)]));
}

/** Canonical JSON (RFC 8785), for values without unusual numbers. */
const canonical = (value: unknown) => JSON.stringify(toCanonical(value));

const withKey = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest('hex');

/** Returns the fingerprint that the service stores for a start. */
export function fingerprintWith(key: string, start: SecretStart): string {
  return withKey(Buffer.from(key, 'base64'), canonical(['POST', '/v1/pentests', start]));
}

/**
 * Yields the hashes that an attacker could compute by guessing the body or a part of it, with the data stored next to
 * it.
 */
export function* guessableHashes(start: SecretStart, guessableKeys: readonly string[]): Generator<string> {
  const parts = [start.apiDescription, ...start.credentials.flatMap((one) => [one, ...Object.values(one)])];
  const texts = [start, start.credentials, ['POST', '/v1/pentests', start], ...parts].flatMap((part) =>
    typeof part === 'string' ? [part, JSON.stringify(part)] : [JSON.stringify(part), canonical(part)],
  );
  for (const text of texts) {
    for (const key of guessableKeys) yield withKey(key, text);
    for (const algorithm of getHashes()) {
      const length = algorithm.startsWith('shake') ? { outputLength: 32 } : {};
      yield createHash(algorithm, length).update(text).digest('hex');
    }
  }
}
