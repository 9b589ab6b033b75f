import { isIPv4 } from 'node:net';

/** What a verification covers: exactly one of the two. */
export interface VerifiedScope {
  /** This name and all its subdomains, on any port, over http or https. */
  coveredName: string | null;
  coveredOrigin: string | null;
}

const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
const IPV6 = /^\[[0-9a-f:]+\]$/;
/** RFC 1035 §2.3.4, without the trailing dot of the root. */
const MAX_HOST_LENGTH = 253;

/**
 * Returns the origin and host of an http(s) URL; undefined if it has user info, or a host that parsers may read
 * differently.
 */
export function readPlainOrigin(url: URL): { origin: string; host: string } | undefined {
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  const host = url.hostname.replace(/\.$/, '');
  if (host.length > MAX_HOST_LENGTH || !(NAME.test(host) || IPV6.test(host))) return undefined;
  return { origin: `${url.protocol}//${host}${url.port && `:${url.port}`}`, host };
}

/** Applies the same rule as the server, which decides what a run may be started for. */
export function covers({ coveredName, coveredOrigin }: VerifiedScope, url: URL): boolean {
  const read = readPlainOrigin(url);
  if (!read) return false;
  if (coveredName === null) return read.origin === coveredOrigin;
  // An IPv4 address has dots, but no parent domain.
  return read.host === coveredName || (!isIPv4(read.host) && read.host.endsWith(`.${coveredName}`));
}
