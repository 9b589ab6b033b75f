import { X509Certificate } from 'node:crypto';
import { extensionOf, readElements } from './der.ts';

/** The properties of a certificate that checks need. */
export interface Certificate {
  subject: string;
  issuer: string;
  /** ISO 8601. */
  validFrom: string;
  validTo: string;
  dnsNames: readonly string[];
  addresses: readonly string[];
  /** As Node names it: rsa, ec, dsa, ed25519 … */
  keyType: string;
  /** Size of the modulus or of the curve; null if not applicable. */
  keyBits: number | null;
  rsaExponent: number | null;
  /** As OpenSSL names it, such as sha256WithRSAEncryption. */
  signature: string;
  /** Issuer and subject are equal, and it is signed with its own key. */
  isSelfSigned: boolean;
  isAuthority: boolean;
  /** Number of embedded signed certificate timestamps (SCTs). */
  timestamps: number;
  mustStaple: boolean;
  /** URLs of the issuer certificate and of the OCSP responder. */
  issuerUrls: readonly string[];
  ocspUrls: readonly string[];
  /** SHA-256, in hex. */
  fingerprint: string;
  /** DER in base64. */
  der: string;
}

const TIMESTAMPS = '1.3.6.1.4.1.11129.2.4.2';
const FEATURES = '1.3.6.1.5.5.7.1.24';
const STATUS_REQUEST = 5;
const MAX_NAMES = 1_000;
const curveBits: Record<string, number> = { prime256v1: 256, ed25519: 255, ed448: 448 };

/** Returns the properties of a certificate (DER). Throws if it cannot be parsed. */
export function readCertificate(der: Buffer): Certificate {
  const certificate = new X509Certificate(der);
  const names = namesOf(certificate.subjectAltName ?? '');
  const access = certificate.infoAccess ?? '';
  return {
    subject: certificate.subject ?? '',
    issuer: certificate.issuer ?? '',
    validFrom: toIso(certificate.validFromDate),
    validTo: toIso(certificate.validToDate),
    dnsNames: names('DNS'),
    addresses: names('IP Address'),
    ...keyOf(certificate),
    signature: certificate.signatureAlgorithm ?? '',
    isSelfSigned: isSelfSigned(certificate),
    isAuthority: certificate.ca,
    timestamps: timestampsOf(der),
    mustStaple: mustStaple(der),
    issuerUrls: urlsOf(access, 'CA Issuers'),
    ocspUrls: urlsOf(access, 'OCSP'),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    der: der.toString('base64'),
  };
}

const toIso = (date: Date) => (Number.isNaN(date.getTime()) ? '' : date.toISOString());

/** Parses `DNS:a, DNS:b`; names with special characters are quoted. */
function namesOf(text: string): (kind: string) => string[] {
  const all = [...text.matchAll(/(?:^|, )([\w ]+):("(?:[^"\\]|\\.)*"|[^,]*)/g)].slice(0, MAX_NAMES);
  return (kind) => all.filter(([, found]) => found === kind).map(([, , name = '']) => name.replace(/^"(.*)"$/, '$1'));
}

const urlsOf = (access: string, kind: string) =>
  access
    .split('\n')
    .filter((line) => line.startsWith(`${kind} - URI:`))
    .map((line) => line.slice(`${kind} - URI:`.length).trim());

function keyOf({ publicKey }: X509Certificate): Pick<Certificate, 'keyType' | 'keyBits' | 'rsaExponent'> {
  const { asymmetricKeyType = 'unknown', asymmetricKeyDetails: details = {} } = publicKey;
  const curve = details.namedCurve ?? asymmetricKeyType;
  const curveSize = curveBits[curve] ?? Number(/\d{3}/.exec(curve)?.[0] ?? Number.NaN);
  const exponent = details.publicExponent;
  return {
    keyType: asymmetricKeyType,
    keyBits: details.modulusLength ?? (Number.isNaN(curveSize) ? null : curveSize),
    // Capped to a number that JSON can represent.
    rsaExponent: exponent === undefined ? null : Math.min(Number(exponent), Number.MAX_SAFE_INTEGER),
  };
}

/**
 * Compares names and verifies the signature. OpenSSL's own test would also require a keyUsage for signing certificates.
 */
function isSelfSigned(certificate: X509Certificate): boolean {
  try {
    return certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}

function timestampsOf(der: Buffer): number {
  const list = readElements(extensionOf(der, TIMESTAMPS) ?? Buffer.alloc(0))[0]?.body.subarray(2);
  let count = 0;
  for (let at = 0; list && at + 2 <= list.length; at += 2 + list.readUInt16BE(at)) count++;
  return count;
}

function mustStaple(der: Buffer): boolean {
  const [features] = readElements(extensionOf(der, FEATURES) ?? Buffer.alloc(0));
  return features
    ? readElements(features.body).some(({ body }) => body.length === 1 && body[0] === STATUS_REQUEST)
    : false;
}

/** Returns whether the certificate is valid for this host, by subject alternative names only (RFC 9525). */
export function isFor({ der }: Pick<Certificate, 'der'>, host: string): boolean {
  const certificate = new X509Certificate(Buffer.from(der, 'base64'));
  const name = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (/^[\d.]+$|:/.test(name)) return certificate.checkIP(name) !== undefined;
  return certificate.checkHost(name, { subject: 'never', partialWildcards: false }) !== undefined;
}
