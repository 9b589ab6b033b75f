const MOST_CHARACTERS = 1000;

/** As an address of the web, or undefined: what a target says of itself need not be one. */
export function webAddress(text: string | null): URL | undefined {
  const url = text === null ? null : URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : undefined;
}

const encoded = (character: string) =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');

/** A path as RFC 3986 has it, whatever a browser would let pass. */
export function uriPath(path: string): string {
  return path
    .toWellFormed()
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/[^\w.~!$&'()*+,;=:@/%-]/gu, encoded)
    .slice(0, MOST_CHARACTERS)
    .replace(/%[0-9a-f]?$/i, '');
}

/** For people: of an address neither query nor user. */
export function shownPlace(affectedUrl: string | null, target: string): string {
  const url = webAddress(affectedUrl) ?? webAddress(target);
  return url ? url.host + url.pathname : target;
}

/**
 * Host and path only: a scheme makes GitHub refuse the whole file, and a query may hold anything. The colon of a port
 * would read as the end of a scheme.
 */
export function placeOf(affectedUrl: string | null, target: string): string {
  const url = webAddress(affectedUrl) ?? webAddress(target);
  if (!url) return uriPath(target).replaceAll(':', '%3A').replace(/^\/+/, '') || 'target';
  return encodeURIComponent(url.host) + uriPath(url.pathname);
}
