import { isIPv4 } from 'node:net';

/** What a verification speaks for: exactly one of the two. */
export interface Coverage {
  /** This name and all below it, on any port, with http or https. */
  coveredName: string | null;
  coveredOrigin: string | null;
}

const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
const IPV6 = /^\[[0-9a-f:]+\]$/;
/** RFC 1035 §2.3.4, as written without the root's dot. */
const MAX_HOST_LENGTH = 253;

/** Without user info, and with a host that means the same to everybody; undefined otherwise. */
export function readPlainOrigin(url: URL): { origin: string; host: string } | undefined {
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  const host = url.hostname.replace(/\.$/, '');
  if (host.length > MAX_HOST_LENGTH || !(NAME.test(host) || IPV6.test(host))) return undefined;
  return { origin: `${url.protocol}//${host}${url.port && `:${url.port}`}`, host };
}

/** The same rule as the server's, which decides what a run may be started for. */
export function covers({ coveredName, coveredOrigin }: Coverage, url: URL): boolean {
  const read = readPlainOrigin(url);
  if (!read) return false;
  if (coveredName === null) return read.origin === coveredOrigin;
  // An address has nothing above it, though it has dots.
  return read.host === coveredName || (!isIPv4(read.host) && read.host.endsWith(`.${coveredName}`));
}
