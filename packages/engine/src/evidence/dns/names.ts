import { isIP } from 'node:net';
import { parse } from 'tldts';
import { isName } from '../../target/dns/message.ts';

export interface SiteNames {
  host: string;
  /** The registrable domain; null below the domain of a hosting service, which belongs to someone else. */
  domain: string | null;
}

/** Names that resolve only on one machine or in a local network. */
const OWN_NAMES = /(?:^|\.)(?:localhost|local)$/;

/** Returns null for IP addresses and for names outside the public DNS. */
export function namesOf(url: URL): SiteNames | null {
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (isIP(host) || !host.includes('.') || OWN_NAMES.test(host) || !isName(host)) return null;
  const { domain, isPrivate } = parse(host, { allowPrivateDomains: true });
  return { host, domain: isPrivate ? null : domain };
}

/** Returns the name and its parents, down to `leastLabels` labels. */
export function climb(name: string, leastLabels: number): string[] {
  const labels = name.split('.');
  return labels.slice(0, labels.length - leastLabels + 1).map((_, index) => labels.slice(index).join('.'));
}
