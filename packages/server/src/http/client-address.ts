import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/**
 * Returns the client's address. Each trusted proxy appends the address it saw to X-Forwarded-For, so the client is that
 * many entries from the end; anything further left is controlled by the client.
 */
export function clientAddress(request: IncomingMessage, trustedHops: number): string {
  const direct = request.socket.remoteAddress ?? '';
  if (trustedHops === 0) return direct;
  const header = request.headers['x-forwarded-for'];
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((entry) => entry.trim());
  const address = withoutPort(forwarded.at(-trustedHops) ?? '');
  // Counted literally, every spelling of "unknown" would have a rate limit of its own.
  return isIP(address) === 0 ? direct : address;
}

/** Some proxies append the port, and then put an IPv6 address in brackets. */
function withoutPort(entry: string): string {
  const match = /^\[(.*)\](?::\d+)?$|^([^:]*):\d+$/.exec(entry);
  return match?.[1] ?? match?.[2] ?? entry;
}

/**
 * Returns the key of the flood limit. An IPv6 /64 counts as one client, because a household or host usually owns a
 * whole one.
 */
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
