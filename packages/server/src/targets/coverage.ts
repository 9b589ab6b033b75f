import { isIPv4 } from 'node:net';

export interface Origin {
  /** Scheme, host and port, without the scheme's default port. */
  origin: string;
  /** A lower-case ASCII name without the root's dot, or an IP address (IPv6 in brackets). */
  host: string;
}

/** What a verification covers: exactly one of the two is set. */
export interface Coverage {
  /** This name and all its subdomains, on any port, over http or https. */
  coveredName: string | null;
  coveredOrigin: string | null;
}

/**
 * The URL parser tolerates backslashes, user info before the host and characters that it drops. Parsers may extract
 * different hosts from such a URL, so it is rejected.
 */
const PLAIN_AUTHORITY = /^https?:\/\/[^/?#\\@\p{Cc}\p{Z}]+(?:[/?#]|$)/iu;
const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
const IPV6 = /^\[[0-9a-f:]+\]$/;
/** RFC 1035 §2.3.4, without the root's dot. */
const MAX_HOST_LENGTH = 253;

/** Returns the origin and the host of a URL; undefined if it is not a plain http or https URL. */
export function readOrigin(url: string): Origin | undefined {
  if (!PLAIN_AUTHORITY.test(url)) return undefined;
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const host = parsed.hostname.replace(/\.$/, '');
  if (host.length > MAX_HOST_LENGTH || !(NAME.test(host) || IPV6.test(host))) return undefined;
  return { origin: `${parsed.protocol}//${host}${parsed.port && `:${parsed.port}`}`, host };
}

/** Returns the host in canonical form, or undefined if the text is not a host. */
export function readHost(text: string): string | undefined {
  const isHostOnly = /^(?:[^/?#\\@:[\]]+|\[[^/?#\\@[\]]+\])$/.test(text);
  return isHostOnly ? readOrigin(`https://${text}/`)?.host : undefined;
}

/**
 * Returns whether the host equals the name or is a subdomain of it, both in canonical form. An IP address has no parent
 * domain, although it contains dots.
 */
export function equalsOrLiesUnder(host: string, name: string): boolean {
  return host === name || (!isIPv4(host) && host.endsWith(`.${name}`));
}

/** Returns whether a verification covers the URL. */
export function covers({ coveredName, coveredOrigin }: Coverage, url: string): boolean {
  const read = readOrigin(url);
  if (!read) return false;
  if (coveredName !== null) return equalsOrLiesUnder(read.host, coveredName);
  return read.origin === coveredOrigin;
}
