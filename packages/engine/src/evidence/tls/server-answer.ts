import { isSuiteOf, suiteName } from './cipher-suites.ts';
import { versions } from './client-hello.ts';

/** What a server said to one hello: plain values. */
export interface ServerAnswer {
  /** `RETRY` is a hello too: TLS 1.3, with another group. `SILENT` and `CLOSED` say nothing about what it could do. */
  outcome: 'HELLO' | 'RETRY' | 'ALERT' | 'CLOSED' | 'SILENT' | 'GARBAGE';
  version: number | null;
  suite: number | null;
  compression: number;
  /** The types of the extensions in its hello. */
  extensions: readonly number[];
  alert: number | null;
  /** Of the key exchange, where it can be seen. */
  group: number | null;
  dhBits: number | null;
  /** How the key exchange is signed, in TLS 1.2. */
  signature: number | null;
  /** As they were sent, DER in base64; not to be seen in TLS 1.3. */
  certificates: readonly string[];
  /** Signed certificate timestamps beside the certificate. */
  timestamps: number;
}

const NOTHING: ServerAnswer = {
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

/** SHA-256 of "HelloRetryRequest", which stands in place of the random bytes. */
const RETRY = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');
const MAX_RECORD = 16_384 + 2_048;
const MAX_CERTIFICATES = 12;

/** Reads in order; throws a RangeError behind the end. */
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

type Partial = { -readonly [Key in keyof ServerAnswer]: ServerAnswer[Key] };

function readExtension(answer: Partial, type: number, body: Buffer): void {
  const cursor = createCursor(body);
  if (type === 43) answer.version = cursor.number(2);
  if (type === 51) answer.group = cursor.number(2);
  if (type === 18)
    for (const list = createCursor(cursor.vector(2)); list.left() > 0; list.vector(2)) answer.timestamps++;
}

function readServerHello(answer: Partial, body: Buffer): void {
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

function readCertificates(answer: Partial, body: Buffer): void {
  const list = createCursor(createCursor(body).vector(3));
  const found: string[] = [];
  while (list.left() > 0 && found.length < MAX_CERTIFICATES) found.push(list.vector(3).toString('base64'));
  answer.certificates = found;
}

function readKeyExchange(answer: Partial, body: Buffer): void {
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

const messages: Record<number, (answer: Partial, body: Buffer) => void> = {
  2: readServerHello,
  11: readCertificates,
  12: readKeyExchange,
};

/** What the records hold, in one piece each; `isGarbage` from where they are none. */
function readRecords(bytes: Buffer): { handshake: Buffer; alert: number | null; isGarbage: boolean } {
  const parts: Buffer[] = [];
  let at = 0;
  let alert: number | null = null;
  let isGarbage = false;
  while (at < bytes.length && alert === null) {
    const type = bytes[at];
    const length = at + 5 <= bytes.length ? bytes.readUInt16BE(at + 3) : 0;
    isGarbage = (type !== 21 && type !== 22) || (at + 1 < bytes.length && bytes[at + 1] !== 3) || length > MAX_RECORD;
    if (isGarbage || at + 5 + length > bytes.length || at + 5 > bytes.length) break;
    const body = bytes.subarray(at + 5, at + 5 + length);
    if (type === 22) parts.push(body);
    else alert = body[1] ?? 0;
    at += 5 + length;
  }
  return { handshake: Buffer.concat(parts), alert, isGarbage };
}

/** Everything up to the last whole message; `isDone` when nothing more will be said in the clear. */
function readHandshake(answer: Partial, handshake: Buffer): { isDone: boolean } {
  for (let at = 0; at + 4 <= handshake.length; ) {
    const type = handshake[at] ?? 0;
    const end = at + 4 + handshake.readUIntBE(at + 1, 3);
    if (type === 14) return { isDone: true };
    if (end > handshake.length) break;
    messages[type]?.(answer, handshake.subarray(at + 4, end));
    if (answer.version === versions.tls13) return { isDone: true };
    at = end;
  }
  return { isDone: false };
}

/** SSL 2: one record with a two-byte header, its message SERVER-HELLO. */
function readOldHello(bytes: Buffer): ServerAnswer | undefined {
  const isOld = ((bytes[0] ?? 0) & 0x80) !== 0 && (bytes[2] ?? 4) === 4;
  if (!isOld || bytes.length < 13) return undefined;
  if (bytes.readUInt16BE(5) !== versions.ssl2) return undefined;
  // Of its ciphers only whether there is any: some servers still say hello and then have nothing to offer.
  return { ...NOTHING, outcome: 'HELLO', version: versions.ssl2, suite: bytes.readUInt16BE(9) > 0 ? 1 : 0 };
}

/** Undefined as long as more is to come; `isOver` when nothing will. It never throws. */
export function readAnswer(bytes: Buffer, isOver: 'CLOSED' | 'SILENT' | false): ServerAnswer | undefined {
  const old = readOldHello(bytes);
  if (old) return old;
  const answer: Partial = { ...NOTHING };
  if (bytes.length < 2 || ((bytes[0] ?? 0) & 0x80) !== 0) {
    if (!isOver && bytes.length < 13) return undefined;
    return { ...answer, outcome: bytes.length > 0 ? 'GARBAGE' : isOver || 'SILENT' };
  }
  const { handshake, alert, isGarbage } = readRecords(bytes);
  try {
    const { isDone } = readHandshake(answer, handshake);
    if (isDone) return answer;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ...NOTHING, outcome: 'GARBAGE' };
  }
  if (answer.suite !== null && (alert !== null || isGarbage || isOver)) return answer;
  if (alert !== null) return { ...answer, outcome: 'ALERT', alert };
  if (isGarbage) return { ...answer, outcome: 'GARBAGE' };
  return isOver ? { ...answer, outcome: isOver } : undefined;
}
