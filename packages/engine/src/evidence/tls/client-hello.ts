import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';

export const versions = { ssl2: 0x0002, ssl3: 0x0300, tls10: 0x0301, tls11: 0x0302, tls12: 0x0303, tls13: 0x0304 };
export const X25519_MLKEM768 = 0x11ec;

/** Content of one ClientHello. Needs no cryptography: the response is read and the handshake never finished. */
export interface Hello {
  version: number;
  suites: readonly number[];
  /** Groups offered for key exchange. Defaults to the common ones. */
  groups?: readonly number[];
  signatures?: readonly number[];
  /** Whether to offer compression. */
  offersCompression?: boolean;
  /** Signals a fallback from a newer version with TLS_FALLBACK_SCSV (RFC 7507). */
  isFallback?: boolean;
}

const X25519 = 0x001d;
const usualGroups = [X25519, 0x0017, 0x0018, 0x0019, 0x001e, 0x0100, 0x0101];
const usualSignatures = [
  0x0403, 0x0503, 0x0603, 0x0807, 0x0808, 0x0804, 0x0805, 0x0806, 0x0809, 0x080a, 0x080b, 0x0401, 0x0501, 0x0601,
  0x0303, 0x0301, 0x0402, 0x0302, 0x0203, 0x0201, 0x0202,
];
const FALLBACK = 0x5600;
/** SCSV in place of the renegotiation_info extension, because SSL 3.0 has no extensions. */
const RENEGOTIATION = 0x00ff;

const byte = (value: number) => Buffer.from([value]);
const short = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const shorts = (values: readonly number[]) => Buffer.concat(values.map(short));
const withLength = (body: Buffer, bytes = 2) => Buffer.concat([short(body.length).subarray(2 - bytes), body]);
const extension = (type: number, body: Buffer) => Buffer.concat([short(type), withLength(body)]);

/** Returns the name for SNI, or undefined for an IP address. */
export function serverNameOf(host: string): string | undefined {
  const name = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return isIP(name) ? undefined : name;
}

function extensionsOf(hello: Hello, host: string): Buffer {
  const { version, groups = usualGroups, signatures = usualSignatures } = hello;
  const name = serverNameOf(host);
  const list: Buffer[] = [];
  if (name !== undefined) list.push(extension(0, withLength(Buffer.concat([byte(0), withLength(Buffer.from(name))]))));
  list.push(extension(10, withLength(shorts(groups))));
  if (version <= versions.tls12) {
    list.push(
      extension(11, Buffer.from([1, 0])),
      extension(18, Buffer.alloc(0)),
      extension(23, Buffer.alloc(0)),
      extension(0xff01, byte(0)),
    );
  }
  if (version >= versions.tls12) list.push(extension(13, withLength(shorts(signatures))));
  if (version === versions.tls13) {
    // An X25519 key share can be random bytes. A server that wants another group says so in a HelloRetryRequest.
    const share = groups.includes(X25519)
      ? Buffer.concat([short(X25519), withLength(randomBytes(32))])
      : Buffer.alloc(0);
    list.push(
      extension(43, withLength(short(version), 1)),
      extension(45, Buffer.from([1, 1])),
      extension(51, withLength(share)),
    );
  }
  return Buffer.concat(list);
}

/** RFC 7685: some servers hang on a ClientHello of 256 to 511 bytes. */
function padded(extensions: Buffer, before: number): Buffer {
  const bytes = 4 + before + 2 + extensions.length;
  if (bytes < 256 || bytes > 511) return withLength(extensions);
  return withLength(Buffer.concat([extensions, extension(21, Buffer.alloc(Math.max(0, 508 - bytes)))]));
}

/** Follows RFC 6101, 2246, 4346, 5246 and 8446; for SSL 2.0 the draft of 1995. */
export function writeHello(hello: Hello, host: string): Buffer {
  const { version, suites, offersCompression = false, isFallback = false } = hello;
  if (version === versions.ssl2) return writeOldHello();
  const signals = [...(version === versions.ssl3 ? [RENEGOTIATION] : []), ...(isFallback ? [FALLBACK] : [])];
  const fixed = Buffer.concat([
    short(Math.min(version, versions.tls12)),
    randomBytes(32),
    withLength(version === versions.tls13 ? randomBytes(32) : Buffer.alloc(0), 1),
    withLength(shorts([...suites, ...signals])),
    withLength(Buffer.from(offersCompression ? [1, 0] : [0]), 1),
  ]);
  const extensions = version === versions.ssl3 ? Buffer.alloc(0) : padded(extensionsOf(hello, host), fixed.length);
  const body = Buffer.concat([fixed, extensions]);
  const handshake = Buffer.concat([Buffer.from([1, 0]), withLength(body)]);
  return Buffer.concat([byte(22), short(Math.min(version, versions.tls10)), withLength(handshake)]);
}

const oldSuites = Buffer.from('0700c0050080030080010080060040040080020080', 'hex');

function writeOldHello(): Buffer {
  const lengths = shorts([oldSuites.length, 0, 16]);
  const body = Buffer.concat([byte(1), short(versions.ssl2), lengths, oldSuites, randomBytes(16)]);
  return Buffer.concat([short(0x8000 | body.length), body]);
}
