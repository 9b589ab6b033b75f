import { isIPv4 } from 'node:net';

export interface Origin {
  /** Scheme, host and port; the scheme's own port is left out. */
  origin: string;
  /** A name in ASCII and lower case without the dot of the root, or an address (IPv6 in brackets). */
  host: string;
}

/** What a verification speaks for: exactly one of the two. */
export interface Coverage {
  /** This name and all below it, on any port, with http or https. */
  coveredName: string | null;
  coveredOrigin: string | null;
}

/**
 * The parser forgives a lot: backslashes, a user before the host, characters it drops. Whoever reads such a URL may
 * take another part of it for the host than whoever sends the request, so it has no origin here.
 */
const PLAIN_AUTHORITY = /^https?:\/\/[^/?#\\@\p{Cc}\p{Z}]+(?:[/?#]|$)/iu;
const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
const IPV6 = /^\[[0-9a-f:]+\]$/;
/** RFC 1035 §2.3.4, as written without the root's dot. */
const MAX_HOST_LENGTH = 253;

export function readOrigin(url: string): Origin | undefined {
  if (!PLAIN_AUTHORITY.test(url)) return undefined;
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const host = parsed.hostname.replace(/\.$/, '');
  if (host.length > MAX_HOST_LENGTH || !(NAME.test(host) || IPV6.test(host))) return undefined;
  return { origin: `${parsed.protocol}//${host}${parsed.port && `:${parsed.port}`}`, host };
}

/** In the one spelling that hosts are compared in. */
export function readHost(text: string): string | undefined {
  const isHostOnly = /^(?:[^/?#\\@:[\]]+|\[[^/?#\\@[\]]+\])$/.test(text);
  return isHostOnly ? readOrigin(`https://${text}/`)?.host : undefined;
}

/** Both in that spelling. An address has nothing above it, though it has dots. */
export function equalsOrLiesUnder(host: string, name: string): boolean {
  return host === name || (!isIPv4(host) && host.endsWith(`.${name}`));
}

export function covers({ coveredName, coveredOrigin }: Coverage, url: string): boolean {
  const read = readOrigin(url);
  if (!read) return false;
  if (coveredName !== null) return equalsOrLiesUnder(read.host, coveredName);
  return read.origin === coveredOrigin;
}
