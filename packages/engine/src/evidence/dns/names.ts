import { isIP } from 'node:net';
import { parse } from 'tldts';
import { isName } from '../../target/dns/message.ts';

export interface Names {
  host: string;
  /** What its owner has registered; null below the name of a hosting service, where others rule. */
  domain: string | null;
}

/** Names that mean something on one machine or in one house only. */
const OWN_NAMES = /(?:^|\.)(?:localhost|local)$/;

/** Null for addresses, and for names that no name server knows. */
export function namesOf(url: URL): Names | null {
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (isIP(host) || !host.includes('.') || OWN_NAMES.test(host) || !isName(host)) return null;
  const { domain, isPrivate } = parse(host, { allowPrivateDomains: true });
  return { host, domain: isPrivate ? null : domain };
}

/** The name itself and those above it, down to this many labels. */
export function climb(name: string, leastLabels: number): string[] {
  const labels = name.split('.');
  return labels.slice(0, labels.length - leastLabels + 1).map((_, index) => labels.slice(index).join('.'));
}
