import { isSuiteOf, suiteName } from './cipher-suites.ts';
import { versions } from './client-hello.ts';

/** A server's response to one ClientHello. */
export interface ServerAnswer {
  /**
   * `RETRY` is a TLS 1.3 hello that asks for another group. `SILENT` says nothing about what the server supports, nor
   * does `DROPPED`: a closed connection that may be a network error as well as a refusal.
   */
  outcome: 'HELLO' | 'RETRY' | 'ALERT' | 'CLOSED' | 'DROPPED' | 'SILENT' | 'GARBAGE';
  version: number | null;
  suite: number | null;
  compression: number;
  /** Types of the extensions in the ServerHello. */
  extensions: readonly number[];
  alert: number | null;
  /** Group of the key exchange, if visible. */
  group: number | null;
  dhBits: number | null;
  /** Signature scheme of the key exchange in TLS 1.2. */
  signature: number | null;
  /** As sent, DER in base64; encrypted in TLS 1.3 and therefore not visible. */
  certificates: readonly string[];
  /** Number of signed certificate timestamps in the TLS extension. */
  timestamps: number;
}

export const NOTHING: ServerAnswer = {
  outcome: 'SILENT',
  version: null,
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

/** SHA-256 of "HelloRetryRequest", sent in place of the server random. */
const RETRY = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');
const MAX_CERTIFICATES = 12;

/** Reads sequentially. Throws a RangeError past the end. */
function createCursor(bytes: Buffer) {
  let at = 0;
  const take = (count: number) => {
    if (at + count > bytes.length) throw new RangeError('It ends too early.');
    at += count;
    return bytes.subarray(at - count, at);
  };
  const number = (count: number) => take(count).readUIntBE(0, count);
  return { take, number, vector: (count: number) => take(number(count)), left: () => bytes.length - at };
}

/** A response while it is parsed. */
export type Draft = { -readonly [Key in keyof ServerAnswer]: ServerAnswer[Key] };

function readExtension(answer: Draft, type: number, body: Buffer): void {
  const cursor = createCursor(body);
  if (type === 43) answer.version = cursor.number(2);
  if (type === 51) answer.group = cursor.number(2);
  if (type === 18)
    for (const list = createCursor(cursor.vector(2)); list.left() > 0; list.vector(2)) answer.timestamps++;
}

function readServerHello(answer: Draft, body: Buffer): void {
  const cursor = createCursor(body);
  answer.version = cursor.number(2);
  answer.outcome = cursor.take(32).equals(RETRY) ? 'RETRY' : 'HELLO';
  cursor.vector(1);
  answer.suite = cursor.number(2);
  answer.compression = cursor.number(1);
  if (cursor.left() === 0) return;
  const types: number[] = [];
  for (const list = createCursor(cursor.vector(2)); list.left() > 0; ) {
    const type = list.number(2);
    types.push(type);
    readExtension(answer, type, list.vector(2));
  }
  answer.extensions = types;
}

function readCertificates(answer: Draft, body: Buffer): void {
  const list = createCursor(createCursor(body).vector(3));
  const found: string[] = [];
  while (list.left() > 0 && found.length < MAX_CERTIFICATES) found.push(list.vector(3).toString('base64'));
  answer.certificates = found;
}

function readKeyExchange(answer: Draft, body: Buffer): void {
  const cursor = createCursor(body);
  const { suite, version } = answer;
  const name = suiteName(suite ?? 0);
  if (/^TLS_DHE?_/.test(name)) {
    const prime = cursor.vector(2);
    answer.dhBits = prime.length === 0 ? 0 : BigInt(`0x${prime.toString('hex')}`).toString(2).length;
    cursor.vector(2);
    cursor.vector(2);
  } else if (/^TLS_ECDHE?_/.test(name)) {
    if (cursor.number(1) !== 3) return;
    answer.group = cursor.number(2);
    cursor.vector(1);
  } else return;
  const isSigned = version === versions.tls12 && !isSuiteOf(suite ?? 0, 'anonymous');
  if (isSigned) answer.signature = cursor.number(2);
}

/** By message type. */
export const messageReaders: Record<number, (answer: Draft, body: Buffer) => void> = {
  2: readServerHello,
  11: readCertificates,
  12: readKeyExchange,
};
