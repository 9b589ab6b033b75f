const MOST_CHARACTERS = 1000;

/** Returns the text as an http or https URL, or undefined: URLs in findings come from the target and may be invalid. */
export function webAddress(text: string | null): URL | undefined {
  const url = text === null ? null : URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : undefined;
}

const encoded = (character: string) =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');

/** Returns a path with every character percent-encoded that RFC 3986 does not allow; browsers accept more. */
export function uriPath(path: string): string {
  return path
    .toWellFormed()
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/[^\w.~!$&'()*+,;=:@/%-]/gu, encoded)
    .slice(0, MOST_CHARACTERS)
    .replace(/%[0-9a-f]?$/i, '');
}

/** Returns host and path for display, without query and user info. */
export function shownPlace(affectedUrl: string | null, target: string): string {
  const url = webAddress(affectedUrl) ?? webAddress(target);
  return url ? url.host + url.pathname : target;
}

/**
 * Returns host and path only: GitHub rejects the whole file if there is a scheme, and a query may hold secrets. The
 * colon of a port is encoded because it would read as the end of a scheme.
 */
export function placeOf(affectedUrl: string | null, target: string): string {
  const url = webAddress(affectedUrl) ?? webAddress(target);
  if (!url) return uriPath(target).replaceAll(':', '%3A').replace(/^\/+/, '') || 'target';
  return encodeURIComponent(url.host) + uriPath(url.pathname);
}
