import { X509Certificate } from 'node:crypto';
import { trustedRoots } from '../../http/connection/handshake.ts';
import { type Sender, StopSending } from '../../http/exchange/sender.ts';
import { type Certificate, readCertificate } from './certificate.ts';

const MAX_FETCHED = 2;
const MAX_LENGTH = 8;

const toX509 = ({ der }: Certificate) => new X509Certificate(Buffer.from(der, 'base64'));

/** Returns whether name and signature match the issuer. */
function isIssuedBy(one: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return one.issuer === issuer.subject && one.checkIssued(issuer) && one.verify(issuer.publicKey);
  } catch {
    // An unreadable key cannot have signed it.
    return false;
  }
}

/** Parsed roots by PEM. Parsing all of them takes longer than the rest of a scan. */
const readRoots = new Map<string, X509Certificate>();

function readRoot(pem: string): X509Certificate {
  const root = readRoots.get(pem) ?? new X509Certificate(pem);
  readRoots.set(pem, root);
  return root;
}

const isIssuedByRoot = (one: X509Certificate) => trustedRoots().some((pem) => isIssuedBy(one, readRoot(pem)));

const wasInTime = ({ validFrom, validTo }: Certificate, at: string) => validFrom <= at && at <= validTo;

/**
 * Returns the OpenSSL code for why the chain as sent leads to no trusted root, or null if it does. Does not check host
 * names.
 */
export function whyUntrusted(sent: readonly Certificate[], at: string): string | null {
  let current = sent[0];
  for (let length = 0; current && length < MAX_LENGTH; length++) {
    const here: Certificate = current;
    if (!wasInTime(here, at)) return here.validTo < at ? 'CERT_HAS_EXPIRED' : 'CERT_NOT_YET_VALID';
    if (length > 0 && !here.isAuthority) return 'INVALID_CA';
    const read = toX509(here);
    if (isIssuedByRoot(read)) return null;
    if (here.isSelfSigned) return length === 0 ? 'DEPTH_ZERO_SELF_SIGNED_CERT' : 'SELF_SIGNED_CERT_IN_CHAIN';
    current = sent.find((one) => one.fingerprint !== here.fingerprint && isIssuedBy(read, toX509(one)));
  }
  return sent.length === 1 ? 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' : 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY';
}

async function fetchIssuer(sender: Pick<Sender, 'send'>, url: string | undefined): Promise<Certificate | undefined> {
  if (!url?.startsWith('http://')) return undefined;
  try {
    const { response } = await sender.send({ method: 'GET', url, purpose: 'look' });
    return response?.status === 200 ? readCertificate(new X509Certificate(response.body).raw) : undefined;
  } catch (error) {
    if (error instanceof StopSending) throw error;
    // Not a certificate, or a bundle of several: clients cannot complete a chain with it.
    return undefined;
  }
}

/**
 * Returns whether the chain reaches a trusted root with certificates that the issuers publish, which browsers fetch.
 */
export async function completesChain(sender: Pick<Sender, 'send'>, sent: readonly Certificate[]): Promise<boolean> {
  let fetched = 0;
  let current = sent[0];
  for (let length = 0; current && length < MAX_LENGTH; length++) {
    const here: Certificate = current;
    if (here.isSelfSigned) return false;
    const read = toX509(here);
    if (isIssuedByRoot(read)) return fetched > 0;
    const known = sent.find((one) => one.fingerprint !== here.fingerprint && isIssuedBy(read, toX509(one)));
    if (!known && fetched++ >= MAX_FETCHED) return false;
    current = known ?? (await fetchIssuer(sender, here.issuerUrls[0]));
    if (current && !isIssuedBy(read, toX509(current))) return false;
  }
  return false;
}
