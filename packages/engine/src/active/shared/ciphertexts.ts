import { decodeReferences } from '../../html/character-references.ts';

/** Longer ones are files rather than texts that were encrypted. */
const MOST_TOKENS = 200;
const TOKEN = /(?<![\w+/-])(?:[0-9a-fA-F]{2}){8,}(?![\w+/=-])|(?<![\w+/-])[\w+/-]{11,}={0,2}(?![\w+/=-])/g;
/** What may precede the encrypted text: a version, an initialization vector, a checksum. */
const MOST_PREFIX = 32;

/** Returns the bytes of each text in the response that may be Base64 or hexadecimal, in both readings. */
function bytesIn(body: string): Buffer[] {
  const tokens = [...new Set(decodeReferences(body).match(TOKEN) ?? [])].slice(0, MOST_TOKENS);
  return tokens.flatMap((token) => {
    const isHex = /^(?:[0-9a-f]{2})+$/i.test(token);
    const read = Buffer.from(token, /[-_]/.test(token) ? 'base64url' : 'base64');
    return isHex ? [Buffer.from(token, 'hex'), read] : [read];
  });
}

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));

/** A key that changes nothing is an encoding; one that changes letters only writes them in another case. */
const isKey = (key: Buffer): boolean => key.every((byte) => byte !== 0) || new Set(key.filter(Boolean)).size > 2;

/**
 * Returns whether what turned the first text into bytes of its response turns the second into bytes of the other: a
 * keystream that is used twice. Both texts are random and equally long.
 */
export function shareKeystream(first: { text: string; body: string }, second: { text: string; body: string }): boolean {
  const [one, other] = [Buffer.from(first.text), Buffer.from(second.text)];
  const shown = bytesIn(second.body);
  return bytesIn(first.body).some((bytes) => {
    const last = Math.min(MOST_PREFIX, bytes.length - one.length);
    for (let start = 0; start <= last; start++) {
      const key = xor(bytes.subarray(start, start + one.length), one);
      const expected = xor(key, other);
      const isExpected = (each: Buffer) =>
        each.length === bytes.length && each.subarray(start, start + other.length).equals(expected);
      if (isKey(key) && shown.some(isExpected)) return true;
    }
    return false;
  });
}

/** Returns whether the response has bytes of at least this length, in which a text may be encrypted. */
export const mayHoldText = (body: string, length: number): boolean =>
  bytesIn(body).some((each) => each.length >= length);
