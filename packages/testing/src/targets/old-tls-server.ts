import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { startBareServer } from './target-servers.ts';

/** Simulates legacy TLS servers: it implements the hello messages only, without cryptography. */
export interface OldServer {
  /** Protocol versions, such as 0x0300; 0x0002 for SSL 2. */
  versions: readonly number[];
  suites: readonly number[];
  /** The version it returns for older offers: some stacks ignore the offered version. */
  floor?: number;
  /** Cipher suites per version, where they differ. */
  suitesOf?: Readonly<Record<number, readonly number[]>>;
  /** Whether it uses compression if the client offers it. */
  compresses?: boolean;
  knowsRenegotiation?: boolean;
  knowsFallback?: boolean;
  /** The size of its Diffie-Hellman prime. */
  dhBits?: number;
  /** The curves it supports. */
  curves?: readonly number[];
  /** Whether it sends an unrecognized_name warning before its hello, as old servers do. */
  warns?: boolean;
  /** DER, the server's own certificate first. */
  certificates?: readonly Buffer[];
  /** False for an SSL 2 server that offers no ciphers; true by default. */
  hasOldCiphers?: boolean;
}

const short = (value: number) => Buffer.from([value >> 8, value & 0xff]);
function vector(body: Buffer, bytes = 2): Buffer {
  const length = Buffer.alloc(bytes);
  length.writeUIntBE(body.length, 0, bytes);
  return Buffer.concat([length, body]);
}

const message = (type: number, body: Buffer) => Buffer.concat([Buffer.from([type, 0]), vector(body)]);
const record = (type: number, version: number, body: Buffer) =>
  Buffer.concat([Buffer.from([type]), short(version), vector(body)]);
const alert = (code: number) => record(21, 0x0301, Buffer.from([2, code]));

interface Offer {
  version: number;
  suites: number[];
  compression: Buffer;
  groups: number[];
}

const toNumbers = (bytes: Buffer) =>
  Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2));

function readOffer(hello: Buffer): Offer {
  let at = 9;
  const take = (count: number) => {
    at += count;
    return hello.subarray(at - count, at);
  };
  const version = take(2).readUInt16BE();
  take(32);
  take(take(1).readUInt8());
  const suites = toNumbers(take(take(2).readUInt16BE()));
  const compression = take(take(1).readUInt8());
  const offer: Offer = { version, suites, compression, groups: [] };
  const end = at < hello.length ? take(2).readUInt16BE() + at : at;
  while (at < end) {
    const type = take(2).readUInt16BE();
    const body = take(take(2).readUInt16BE());
    if (type === 10) offer.groups = toNumbers(body.subarray(2));
    if (type === 43) offer.version = body.readUInt16BE(1);
  }
  return offer;
}

function keyExchange(server: OldServer, suite: number, version: number, group: number | undefined): Buffer[] {
  const signed = version === 0x0303 ? Buffer.concat([short(0x0401), vector(Buffer.alloc(8))]) : vector(Buffer.alloc(8));
  if (suite >= 0xc001) {
    const params = Buffer.concat([Buffer.from([3]), short(group ?? 23), vector(Buffer.alloc(65), 1)]);
    return [message(12, Buffer.concat([params, signed]))];
  }
  const isDh = [0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x32, 0x33, 0x34, 0x38, 0x39, 0x3a].includes(suite);
  if (!isDh) return [];
  const prime = Buffer.alloc((server.dhBits ?? 2_048) / 8, 0xff);
  return [message(12, Buffer.concat([vector(prime), vector(Buffer.from([2])), vector(prime), signed]))];
}

function answer(server: OldServer, hello: Buffer): Buffer {
  const offer = readOffer(hello);
  const best = Math.max(...server.versions);
  const version = Math.max(server.floor ?? 0, ...server.versions.filter((one) => one > 2 && one <= offer.version));
  if (version === 0) return alert(70);
  if (server.knowsFallback && offer.suites.includes(0x5600) && version < best) return alert(86);
  const curves = server.curves ?? [23];
  // SSL 3 has no extension for them.
  const group = offer.groups.length === 0 ? curves[0] : curves.find((one) => offer.groups.includes(one));
  const suites = server.suitesOf?.[version] ?? server.suites;
  const suite = suites.find((one) => offer.suites.includes(one) && (one < 0xc001 || group !== undefined));
  if (suite === undefined) return alert(40);
  const extensions = server.knowsRenegotiation ? Buffer.from('ff01000100', 'hex') : Buffer.alloc(0);
  const compression = server.compresses && offer.compression.includes(1) ? 1 : 0;
  const body = Buffer.concat([
    short(version),
    randomBytes(32),
    vector(Buffer.alloc(0), 1),
    short(suite),
    Buffer.from([compression]),
    ...(extensions.length > 0 ? [vector(extensions)] : []),
  ]);
  const list = (server.certificates ?? []).map((der) => vector(der, 3));
  const shown = list.length > 0 ? [message(11, vector(Buffer.concat(list), 3))] : [];
  const messages = [
    message(2, body),
    ...shown,
    ...keyExchange(server, suite, version, group),
    message(14, Buffer.alloc(0)),
  ];
  const warning = server.warns ? [record(21, version, Buffer.from([1, 112]))] : [];
  return Buffer.concat([...warning, ...messages.map((one) => record(22, version, one))]);
}

function answerOld({ versions, hasOldCiphers = true }: OldServer): Buffer {
  if (!versions.includes(2)) return alert(40);
  const ciphers = hasOldCiphers ? Buffer.from('0700c0', 'hex') : Buffer.alloc(0);
  const body = Buffer.concat([
    Buffer.from([4, 0, 1]),
    short(2),
    short(3),
    short(ciphers.length),
    short(16),
    Buffer.alloc(3),
    ciphers,
    Buffer.alloc(16),
  ]);
  return Buffer.concat([short(0x8000 | body.length), body]);
}

export const startOldServer = (server: OldServer, host?: string) =>
  startBareServer((socket: Socket) => {
    socket.once('data', (hello) => socket.end((hello[0] ?? 0) & 0x80 ? answerOld(server) : answer(server, hello)));
  }, host);
