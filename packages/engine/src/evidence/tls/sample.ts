import type { Certificate } from './certificate.ts';
import { versions } from './client-hello.ts';
import type { Endpoint } from './endpoints.ts';
import type { TlsArtifacts } from './gather-tls.ts';
import type { HelloName } from './hellos.ts';
import type { Https } from './https.ts';
import type { ServerAnswer } from './server-messages.ts';
import { supportedVersions } from './tls-probes.ts';

/** Short form of a server: a good one with these deviations. `refused` is an alert. */
export type GivenTls = Partial<Record<HelloName, Partial<ServerAnswer> | 'refused'>>;

/** A good handshake with these deviations. `certificate` is the leaf, `issuers` are the other certificates sent. */
export type GivenHttps = Partial<Omit<Https, 'certificate' | 'chain'>> & {
  certificate?: Partial<Certificate>;
  issuers?: readonly Partial<Certificate>[];
};

const quiet: ServerAnswer = {
  outcome: 'HELLO',
  version: versions.tls12,
  suite: null,
  compression: 0,
  extensions: [],
  alert: null,
  group: null,
  dhBits: null,
  signature: null,
  certificates: [],
  timestamps: 0,
};

const good: GivenTls = {
  tls13: { version: versions.tls13, suite: 0x1301, group: 0x1d },
  tls12: { suite: 0xc02f, extensions: [0xff01, 23, 11], group: 0x1d, signature: 0x0804 },
};
/** Sent only if TLS 1.3 is supported. */
const goodModern: GivenTls = {
  postQuantum: { outcome: 'RETRY', version: versions.tls13, suite: 0x1301, group: 0x11ec },
  fallback: { outcome: 'ALERT', alert: 86 },
};
const refused: HelloName[] = ['tls11', 'tls10', 'ssl3', 'ssl2', 'null', 'anonymous', 'export', 'broken', 'smallBlock'];

function toAnswer(name: string, given: Partial<ServerAnswer> | 'refused'): ServerAnswer {
  if (given === 'refused') return { ...quiet, outcome: 'ALERT', version: null, alert: 40 };
  const version = name in versions ? versions[name as keyof typeof versions] : versions.tls12;
  return { ...quiet, version, ...given };
}

const DAY = 86_400_000;
const now = '2026-01-01T00:00:00.000Z';
/** Returns the date this many days after the time of the examples. */
export const daysAfter = (days: number) => new Date(Date.parse(now) + days * DAY).toISOString();

const certificate: Certificate = {
  subject: 'CN=site.example',
  issuer: 'CN=Good Intermediate',
  validFrom: daysAfter(-30),
  validTo: daysAfter(60),
  dnsNames: ['site.example', 'www.site.example'],
  addresses: [],
  keyType: 'ec',
  keyBits: 256,
  rsaExponent: null,
  signature: 'ecdsa-with-SHA256',
  isSelfSigned: false,
  isAuthority: false,
  timestamps: 2,
  mustStaple: false,
  issuerUrls: ['http://issuer.example/1.crt'],
  ocspUrls: [],
  fingerprint: '00'.repeat(32),
  der: '',
};

const issuer: Certificate = {
  ...certificate,
  subject: 'CN=Good Intermediate',
  issuer: 'CN=Good Root',
  validTo: daysAfter(900),
  validFrom: daysAfter(-900),
  dnsNames: [],
  isAuthority: true,
  timestamps: 0,
  fingerprint: '11'.repeat(32),
};

const toHttps = ({ certificate: own, issuers = [{}], ...given }: GivenHttps): Https => ({
  host: 'site.example',
  port: 443,
  gatheredAt: now,
  protocol: 'TLSv1.3',
  suite: 'TLS_AES_128_GCM_SHA256',
  alpn: 'h2',
  certificate: { ...certificate, ...own },
  chain: [{ ...certificate, ...own }, ...issuers.map((one) => ({ ...issuer, ...one }))],
  isChainAsSent: true,
  isForHost: true,
  untrusted: null,
  isIncomplete: false,
  staple: null,
  maxEarlyData: 0,
  counterpart: null,
  ...given,
});

/** Returns the TLS evidence of such a server, for examples. */
export function toTlsArtifacts(isHttps: boolean, tls?: GivenTls | null, https?: GivenHttps): TlsArtifacts {
  if (!isHttps && !tls) return { tlsProbes: null, https: null };
  const given = {
    ...Object.fromEntries(refused.map((name) => [name, 'refused' as const])),
    ...good,
    ...(tls?.tls13 === 'refused' ? {} : goodModern),
    ...tls,
  };
  const answers = Object.fromEntries(Object.entries(given).map(([name, answer]) => [name, toAnswer(name, answer)]));
  const isSpoken = supportedVersions(answers).length > 0;
  return { tlsProbes: { host: 'site.example', port: 443, answers }, https: isSpoken ? toHttps(https ?? {}) : null };
}

/** Returns good endpoints with these deviations. */
export function toEndpoints(given: readonly Partial<Endpoint>[] | undefined): readonly Endpoint[] | null {
  const good = { version: versions.tls12, certificate: { isForHost: true, isInTime: true, isSelfSigned: false } };
  return given?.map((one, index) => ({ address: `198.51.100.${index + 1}`, ...good, ...one })) ?? null;
}
