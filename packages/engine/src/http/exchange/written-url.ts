/**
 * The parser forgives a lot: backslashes, a user before the host, characters it drops. Whoever reads such a URL may take
 * another part of it for the host than whoever sends the request, so it is not sent at all.
 */
const PLAIN = /^https?:\/\/[^/?#\\@\p{Cc}\p{Z}]+(?=[/?#]|$)/iu;

export interface WrittenUrl {
  url: URL;
  /** Path and query as they are written. */
  path: string;
}

export function readWrittenUrl(text: string): WrittenUrl | undefined {
  const authority = PLAIN.exec(text)?.[0];
  const url = authority === undefined ? null : URL.parse(text);
  if (!url || authority === undefined) return undefined;
  const written = text.slice(authority.length).replace(/#.*$/s, '');
  return { url, path: written.startsWith('/') ? written : `/${written}` };
}

export const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80));
