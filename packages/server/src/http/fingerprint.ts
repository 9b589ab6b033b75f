import { createHmac, type KeyObject } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * Returns equal values for two requests exactly if they are equivalent: bodies are compared as canonical JSON (RFC
 * 8785), as sent and before defaults apply. The hash is keyed, because the passwords in a body could be guessed from a
 * plain hash.
 */
export function fingerprint(key: KeyObject, method: string, path: string, body: unknown): Buffer {
  // One JSON array separates the parts unambiguously.
  const request = body === undefined ? [method, path] : [method, path, body];
  return createHmac('sha256', key)
    .update(canonicalize(request) as string)
    .digest();
}
