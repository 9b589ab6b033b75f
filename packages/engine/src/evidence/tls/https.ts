import { X509Certificate } from 'node:crypto';
import { getDomain } from 'tldts';
import { type Handshake, shakeHands } from '../../http/connection/handshake.ts';
import type { Sender } from '../../http/exchange/sender.ts';
import { type Certificate, isFor, readCertificate } from './certificate.ts';
import { completesChain, whyUntrusted } from './chain.ts';
import { serverNameOf } from './client-hello.ts';
import { maxEarlyDataOf } from './early-data.ts';
import { type Revocation, readRevocation } from './revocation.ts';
import type { TlsEndpoint } from './tls-probes.ts';

/** A complete handshake and its certificates. */
export interface Https {
  host: string;
  port: number;
  /** ISO 8601. Expiry of certificates is judged at this time. */
  gatheredAt: string;
  protocol: string;
  suite: string;
  alpn: string | null;
  certificate: Certificate;
  /**
   * All certificates as sent, including the leaf. If they were not observed, the chain as far as it could be followed.
   */
  chain: readonly Certificate[];
  isChainAsSent: boolean;
  isForHost: boolean;
  /** OpenSSL code for why the chain is not trusted; null if it leads to a root in Mozilla's store. */
  untrusted: string | null;
  /** Whether it would be trusted with certificates that the issuer publishes. */
  isIncomplete: boolean;
  /** Status in the stapled OCSP response. */
  staple: Revocation | 'UNREADABLE' | null;
  /** Bytes of early data the server accepts; 0 if none. */
  maxEarlyData: number;
  /** The name with or without www, if it resolves to the same address. */
  counterpart: { host: string; isCovered: boolean } | null;
  /** Why the handshake failed; then only the certificates of the server's first messages are known. */
  unfinished?: string;
}

export const httpsUrl = ({ host, port }: TlsEndpoint) => new URL(`https://${host}:${port}/`).href;

/** Returns whether the leaf is self-signed and was sent alone. */
export const isSelfSigned = ({ certificate, chain }: Pick<Https, 'certificate' | 'chain'>) =>
  certificate.isSelfSigned && chain.length === 1;

const NO_ISSUER = new Set([
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
]);

type Tools = Pick<Sender, 'openSocket' | 'send'>;

type Shaken = { handshake: Handshake; address: string } | { failure: string };

/** Handshakes with the site and, if it may have one, its www counterpart. */
export interface Handshakes {
  own: Shaken;
  other: { host: string; shaken: Shaken } | null;
}

async function shake({ openSocket }: Tools, { host, port }: TlsEndpoint): Promise<Shaken> {
  const use = await openSocket({ host, port, purpose: 'look' }, (judged) => shakeHands(judged, serverNameOf(host)));
  if (use.failure) return { failure: use.failure.message };
  return 'failure' in use.value ? use.value : { handshake: use.value, address: use.remote.address };
}

export async function gatherHandshakes(sender: Tools, { host, port }: TlsEndpoint): Promise<Handshakes> {
  const domain = getDomain(host, { allowPrivateDomains: true });
  const hasOther = domain !== null && (host === domain || host === `www.${domain}`);
  const otherHost = host === domain ? `www.${domain}` : (domain ?? '');
  const [own, shaken] = await Promise.all([
    shake(sender, { host, port }),
    hasOther ? shake(sender, { host: otherHost, port }) : null,
  ]);
  return { own, other: shaken && { host: otherHost, shaken } };
}

export async function toHttps(
  sender: Pick<Sender, 'send'>,
  place: TlsEndpoint,
  { own, other }: Handshakes,
  sent: readonly string[],
): Promise<Https | { failure: string }> {
  if ('failure' in own) return toUnfinished(sender, place, own.failure, sent);
  const { handshake, address } = own;
  const [leaf] = handshake.chain;
  const certificate = leaf && readable(leaf);
  if (!leaf || !certificate) return { failure: 'The certificate of the site cannot be read.' };
  const isChainAsSent = sent[0] === certificate.der;
  const ders = isChainAsSent ? sent.map((one) => Buffer.from(one, 'base64')) : handshake.chain;
  const chain = ders.flatMap((der) => readable(der) ?? []);
  const { protocol, suite, alpn, untrusted, session } = handshake;
  return {
    ...place,
    gatheredAt: new Date().toISOString(),
    protocol,
    suite,
    alpn,
    certificate,
    chain,
    isChainAsSent,
    isForHost: isFor(certificate, place.host),
    untrusted,
    isIncomplete: NO_ISSUER.has(untrusted ?? '') && (await completesChain(sender, chain)),
    staple: stapleOf(handshake, leaf),
    maxEarlyData: session ? maxEarlyDataOf(session) : 0,
    counterpart: other && toCounterpart(other, address),
  };
}

/** Builds the evidence from certificates received before the handshake failed. */
async function toUnfinished(
  sender: Pick<Sender, 'send'>,
  place: TlsEndpoint,
  failure: string,
  sent: readonly string[],
): Promise<Https | { failure: string }> {
  const chain = sent.flatMap((der) => readable(Buffer.from(der, 'base64')) ?? []);
  const [certificate] = chain;
  if (!certificate || certificate.der !== sent[0]) return { failure: `The TLS handshake failed: ${failure}` };
  const gatheredAt = new Date().toISOString();
  const untrusted = whyUntrusted(chain, gatheredAt);
  return {
    ...place,
    gatheredAt,
    protocol: '',
    suite: '',
    alpn: null,
    certificate,
    chain,
    isChainAsSent: true,
    isForHost: isFor(certificate, place.host),
    untrusted,
    isIncomplete: NO_ISSUER.has(untrusted ?? '') && (await completesChain(sender, chain)),
    staple: null,
    maxEarlyData: 0,
    counterpart: null,
    unfinished: failure,
  };
}

function readable(der: Buffer): Certificate | undefined {
  try {
    return readCertificate(der);
  } catch {
    // Not a certificate.
    return undefined;
  }
}

function stapleOf({ ocspResponse }: Handshake, leaf: Buffer): Https['staple'] {
  if (!ocspResponse) return null;
  const serial = Buffer.from(new X509Certificate(leaf).serialNumber.padStart(2, '0'), 'hex');
  return readRevocation(ocspResponse, serial) ?? 'UNREADABLE';
}

function toCounterpart({ host, shaken }: NonNullable<Handshakes['other']>, address: string): Https['counterpart'] {
  if ('failure' in shaken || shaken.address !== address) return null;
  const certificate = shaken.handshake.chain[0] && readable(shaken.handshake.chain[0]);
  return certificate ? { host, isCovered: isFor(certificate, host) } : null;
}
