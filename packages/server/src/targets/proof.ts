import { isIPv4 } from 'node:net';
import { proofPlaces } from '@sortie/engine';
import { getDomain } from 'tldts';
import { AppError } from '../errors/app-error.ts';
import { type Coverage, equalsOrLiesUnder, type Origin, readHost } from './coverage.ts';
import type { Verification } from './find-verification.ts';
import type { Method } from './store.ts';

/** Parent domain of the sandbox's stories. RFC 2606 reserves it, so nobody owns it and it never resolves. */
export const SANDBOX_NAME = 'sandbox.example';

/** Returns what a verification by this method covers; for DNS, the name on which the record is published. */
export function coverageBy(method: Method, { origin, host }: Origin, name: string | undefined): Coverage {
  if (method === 'dns') return { coveredName: chooseName(host, name), coveredOrigin: null };
  if (name !== undefined)
    throw wrong('name', 'name goes with method dns: the other methods cover the origin of the URL');
  if (method === 'attestation' && host === SANDBOX_NAME) return { coveredName: host, coveredOrigin: null };
  return { coveredName: null, coveredOrigin: origin };
}

/**
 * Returns the name to cover. Throws for public suffixes, even if they are hosts: others can register names below them,
 * so nobody can verify them.
 */
function chooseName(host: string, name: string | undefined): string {
  const registrable = isAddress(host) ? null : getDomain(host, { allowPrivateDomains: true });
  if (registrable === null) {
    throw wrong('method', `method cannot be dns for ${host}: it is not a registrable domain name. Use file or meta`);
  }
  const chosen = name === undefined ? host : readHost(name);
  if (chosen !== undefined && equalsOrLiesUnder(host, chosen) && equalsOrLiesUnder(chosen, registrable)) return chosen;
  const above = host === registrable ? '' : ` or a parent domain, down to ${registrable}`;
  throw wrong('name', `name must be ${host}${above}`);
}

const isAddress = (host: string) => isIPv4(host) || host.startsWith('[');

/** Returns what to publish, and where; null if nothing has to be published. */
export function proofOf(
  verification: Pick<Verification, 'method' | 'token' | keyof Coverage>,
): { place: string; value: string } | null {
  const { method, token, coveredName, coveredOrigin } = verification;
  if (method === 'attestation') return null;
  if (method === 'dns') return { place: String(coveredName), value: `${proofPlaces.dnsPrefix}${token}` };
  if (method === 'file') return { place: `${coveredOrigin}${proofPlaces.filePath}`, value: token };
  return { place: `${coveredOrigin}/`, value: `<meta name="${proofPlaces.metaName}" content="${token}">` };
}

/** Returns what to publish and where, as a message to the owner; null if nothing has to be published. */
export function describeProof(verification: Verification): string | null {
  const proof = proofOf(verification);
  if (!proof) return null;
  const { place, value } = proof;
  if (verification.method === 'dns') return `TXT record of ${place}: ${value}`;
  if (verification.method === 'file') return `file ${place} that contains only: ${value}`;
  return `in the head of ${place}: ${value}`;
}

function wrong(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', { field, message });
}
