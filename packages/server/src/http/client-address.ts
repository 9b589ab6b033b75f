import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/**
 * The caller's address. Behind proxies, each trusted one has appended the address it saw to X-Forwarded-For, so the
 * caller is that many entries from the end; anything further left was written by the caller.
 */
export function clientAddress(request: IncomingMessage, trustedHops: number): string {
  const direct = request.socket.remoteAddress ?? '';
  if (trustedHops === 0) return direct;
  const header = request.headers['x-forwarded-for'];
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((entry) => entry.trim());
  const address = withoutPort(forwarded.at(-trustedHops) ?? '');
  // Counted as it stands, each spelling of "unknown" would be a caller of its own.
  return isIP(address) === 0 ? direct : address;
}

/** Some proxies write the port too, and then an IPv6 address in brackets. */
function withoutPort(entry: string): string {
  const match = /^\[(.*)\](?::\d+)?$|^([^:]*):\d+$/.exec(entry);
  return match?.[1] ?? match?.[2] ?? entry;
}

/** One household or host usually owns a whole IPv6 /64, so it is counted as one caller. */
export function floodKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, gap)).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
