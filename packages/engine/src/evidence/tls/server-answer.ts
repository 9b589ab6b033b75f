import { versions } from './client-hello.ts';
import { type Draft, messageReaders, NOTHING, type ServerAnswer } from './server-messages.ts';

const WARNING = 1;
const CLOSE_NOTIFY = 0;
const MAX_RECORD = 16_384 + 2_048;

/** Joins the handshake records. `isGarbage` is set at the first invalid record. */
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
    // Warnings, such as unrecognized_name, come before the hello. CLOSE_NOTIFY ends the connection.
    else if (body[0] !== WARNING || body[1] === CLOSE_NOTIFY) alert = body[1] ?? 0;
    at += 5 + length;
  }
  return { handshake: Buffer.concat(parts), alert, isGarbage };
}

/** Reads all complete messages. `isDone` is set when no further unencrypted message follows. */
function readHandshake(answer: Draft, handshake: Buffer): { isDone: boolean } {
  for (let at = 0; at + 4 <= handshake.length; ) {
    const type = handshake[at] ?? 0;
    const end = at + 4 + handshake.readUIntBE(at + 1, 3);
    if (type === 14) return { isDone: true };
    if (end > handshake.length) break;
    messageReaders[type]?.(answer, handshake.subarray(at + 4, end));
    if (answer.version === versions.tls13) return { isDone: true };
    at = end;
  }
  return { isDone: false };
}

/** SSL 2.0: a record with a two-byte header that holds a SERVER-HELLO. */
function readOldHello(bytes: Buffer): ServerAnswer | undefined {
  const isOld = ((bytes[0] ?? 0) & 0x80) !== 0 && (bytes[2] ?? 4) === 4;
  if (!isOld || bytes.length < 13) return undefined;
  if (bytes.readUInt16BE(5) !== versions.ssl2) return undefined;
  // Records only whether there are ciphers: some servers respond with an empty list.
  return { ...NOTHING, outcome: 'HELLO', version: versions.ssl2, suite: bytes.readUInt16BE(9) > 0 ? 1 : 0 };
}

/** Returns undefined while more data is needed; `isOver` says that none will follow. Never throws. */
export function readAnswer(bytes: Buffer, isOver: 'CLOSED' | 'SILENT' | false): ServerAnswer | undefined {
  const old = readOldHello(bytes);
  if (old) return old;
  const answer: Draft = { ...NOTHING };
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
