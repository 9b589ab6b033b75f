import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Creates certificates with arbitrary defects, which regular tools refuse to create. */
export interface Issued {
  der: Buffer;
  pem: string;
  keyPem: string;
  key: Keys;
  name: string;
  serial: Buffer;
}

interface Keys {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

export interface Wanted {
  name: string;
  /** Self-signed by default. */
  issuer?: Issued;
  keys?: Keys;
  /** In days from now. */
  from?: number;
  to?: number;
  /** Subject alternative names; `IP:` precedes an address. */
  names?: readonly string[];
  digest?: 'sha256' | 'sha1' | 'md5';
  isAuthority?: boolean;
  mustStaple?: boolean;
  /** Limits keyUsage to digitalSignature. */
  signsNothingElse?: boolean;
  timestamps?: number;
  /** The URL of the issuer's certificate. */
  issuerUrl?: string;
}

const element = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: Buffer[]) => element(0x30, ...parts);
const text = (tag: number, value: string) => element(tag, Buffer.from(value, 'latin1'));

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const base128 = (value: number): number[] => {
    const bytes = [value & 0x7f];
    for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
    return bytes;
  };
  return element(6, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

const algorithms: Record<string, string> = {
  'rsa sha256': '1.2.840.113549.1.1.11',
  'rsa sha1': '1.2.840.113549.1.1.5',
  'rsa md5': '1.2.840.113549.1.1.4',
  'ec sha256': '1.2.840.10045.4.3.2',
  'ec sha1': '1.2.840.10045.4.1',
};

function algorithmOf({ privateKey }: Keys, digest: string): Buffer {
  const name = oid(algorithms[`${privateKey.asymmetricKeyType} ${digest}`] ?? '');
  return privateKey.asymmetricKeyType === 'rsa' ? sequence(name, element(5)) : sequence(name);
}

function time(days: number): Buffer {
  const digits = new Date(Date.now() + days * 86_400_000).toISOString().replace(/\D/g, '').slice(0, 14);
  return Number(digits.slice(0, 4)) < 2050 ? text(0x17, `${digits.slice(2)}Z`) : text(0x18, `${digits}Z`);
}

const nameOf = (common: string) => sequence(element(0x31, sequence(oid('2.5.4.3'), text(0x0c, common))));

const toGeneralName = (name: string) =>
  name.startsWith('IP:') ? element(0x87, Buffer.from(name.slice(3).split('.').map(Number))) : text(0x82, name);

const extension = (id: string, value: Buffer) => sequence(oid(id), element(4, value));

function timestampList(count: number): Buffer {
  const one = randomBytes(60);
  const list = Buffer.concat(Array.from({ length: count }, () => Buffer.concat([Buffer.from([0, one.length]), one])));
  return element(4, Buffer.from([list.length >> 8, list.length & 0xff]), list);
}

/** The keyUsage bit string for digitalSignature. */
const DIGITAL_SIGNATURE = Buffer.from([3, 2, 7, 0x80]);

function extensionsOf({
  names = [],
  isAuthority,
  mustStaple,
  signsNothingElse,
  timestamps = 0,
  issuerUrl,
}: Wanted): Buffer[] {
  return [
    ...(signsNothingElse ? [extension('2.5.29.15', DIGITAL_SIGNATURE)] : []),
    extension('2.5.29.19', sequence(...(isAuthority ? [element(1, Buffer.from([0xff]))] : []))),
    ...(names.length > 0 ? [extension('2.5.29.17', sequence(...names.map(toGeneralName)))] : []),
    ...(mustStaple ? [extension('1.3.6.1.5.5.7.1.24', sequence(element(2, Buffer.from([5]))))] : []),
    ...(timestamps > 0 ? [extension('1.3.6.1.4.1.11129.2.4.2', timestampList(timestamps))] : []),
    ...(issuerUrl
      ? [extension('1.3.6.1.5.5.7.1.1', sequence(sequence(oid('1.3.6.1.5.5.7.48.2'), text(0x86, issuerUrl))))]
      : []),
  ];
}

export const curveKeys = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve });
export const rsaKeys = (modulusLength: number, publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent });

export const toPem = (label: string, der: Buffer) =>
  `-----BEGIN ${label}-----\n${der
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')}\n-----END ${label}-----\n`;

export function issue(wanted: Wanted): Issued {
  const { name, keys = curveKeys(), issuer, from = -10, to = 60, digest = 'sha256' } = wanted;
  const signer = issuer?.key ?? keys;
  const serial = Buffer.concat([Buffer.from([0x42]), randomBytes(8)]);
  const algorithm = algorithmOf(signer, digest);
  const content = sequence(
    element(0xa0, element(2, Buffer.from([2]))),
    element(2, serial),
    algorithm,
    nameOf(issuer?.name ?? name),
    sequence(time(from), time(to)),
    nameOf(name),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(...extensionsOf(wanted))),
  );
  const der = sequence(content, algorithm, element(3, Buffer.from([0]), sign(digest, content, signer.privateKey)));
  const pem = toPem('CERTIFICATE', der);
  return {
    der,
    pem,
    keyPem: String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    key: keys,
    name,
    serial,
  };
}

/** Returns the issuer's OCSP response (RFC 6960) for a certificate. */
export function stapleFor({ serial }: Issued, issuer: Issued, state: 'good' | 'revoked'): Buffer {
  const now = text(0x18, `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}Z`);
  const hash = (bytes: string) => element(4, createHash('sha1').update(bytes).digest());
  const id = sequence(sequence(oid('1.3.14.3.2.26'), element(5)), hash(issuer.name), hash('key'), element(2, serial));
  const single = sequence(id, state === 'good' ? element(0x80) : element(0xa1, now), now);
  const data = sequence(element(0xa1, nameOf(issuer.name)), now, sequence(single));
  const signature = element(3, Buffer.from([0]), sign('sha256', data, issuer.key.privateKey));
  const basic = sequence(data, algorithmOf(issuer.key, 'sha256'), signature);
  const bytes = sequence(oid('1.3.6.1.5.5.7.48.1.1'), element(4, basic));
  return sequence(element(0x0a, Buffer.from([0])), element(0xa0, bytes));
}
