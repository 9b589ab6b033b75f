import { createHmac, type KeyObject } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * Equal for two requests exactly when they ask for the same: the body is compared as JSON (RFC 8785), as it was sent
 * and before anything is filled in. Keyed, because bodies hold passwords that could be guessed from a plain hash.
 */
export function fingerprint(key: KeyObject, method: string, path: string, body: unknown): Buffer {
  // One JSON array frames the parts: no text in one of them can pass for the beginning of the next.
  const request = body === undefined ? [method, path] : [method, path, body];
  return createHmac('sha256', key)
    .update(canonicalize(request) as string)
    .digest();
}
