/**
 * The URL parser is lenient: it accepts backslashes and user info, and drops some characters. Other parsers may read a
 * different host from such a URL, so it is not sent at all.
 */
const PLAIN = /^https?:\/\/[^/?#\\@\p{Cc}\p{Z}]+(?=[/?#]|$)/iu;

export interface WrittenUrl {
  url: URL;
  /** Path and query as written, without the fragment. */
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
