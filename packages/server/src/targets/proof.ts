import { isIPv4 } from 'node:net';
import { proofPlaces } from '@sortie/engine';
import { getDomain } from 'tldts';
import { AppError } from '../errors/app-error.ts';
import { type Coverage, equalsOrLiesUnder, type Origin, readHost } from './coverage.ts';
import type { Verification } from './find-verification.ts';
import type { Method } from './store.ts';

/** Below it are the stories of the sandbox. RFC 2606 reserves the name: it belongs to nobody and leads nowhere. */
export const SANDBOX_NAME = 'sandbox.example';

/** What a verification by this method speaks for: with DNS the name that the record is to be put on. */
export function coverageBy(method: Method, { origin, host }: Origin, name: string | undefined): Coverage {
  if (method === 'dns') return { coveredName: chooseName(host, name), coveredOrigin: null };
  if (name !== undefined)
    throw wrong('name', 'name goes with method dns: the other methods cover the origin of the URL');
  if (method === 'attestation' && host === SANDBOX_NAME) return { coveredName: host, coveredOrigin: null };
  return { coveredName: null, coveredOrigin: origin };
}

/** Nobody speaks for a name that others register names below, though a host may be called so. */
function chooseName(host: string, name: string | undefined): string {
  const registrable = isAddress(host) ? null : getDomain(host, { allowPrivateDomains: true });
  if (registrable === null) {
    throw wrong('method', `method cannot be dns for ${host}: it is no name that can be registered. Use file or meta`);
  }
  const chosen = name === undefined ? host : readHost(name);
  if (chosen !== undefined && equalsOrLiesUnder(host, chosen) && equalsOrLiesUnder(chosen, registrable)) return chosen;
  const above = host === registrable ? '' : ` or a name above it, down to ${registrable}`;
  throw wrong('name', `name must be ${host}${above}`);
}

const isAddress = (host: string) => isIPv4(host) || host.startsWith('[');

/** What has to be put where, in words for its owner; null when nothing has to. */
export function describeProof({ method, token, coveredName, coveredOrigin }: Verification): string | null {
  if (method === 'dns') return `TXT record of ${coveredName}: ${proofPlaces.dnsPrefix}${token}`;
  if (method === 'file') return `file ${coveredOrigin}${proofPlaces.filePath} with nothing in it but: ${token}`;
  if (method === 'attestation') return null;
  return `in the head of ${coveredOrigin}/: <meta name="${proofPlaces.metaName}" content="${token}">`;
}

function wrong(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', { field, message });
}
