/**
 * Limits the values read from an ASP.NET view state, a hidden field that holds a serialised tree and, if signed, a MAC
 * after it.
 */

const MOST_VALUES = 20_000;
/** MAC lengths of SHA-1, SHA-256, SHA-384 and SHA-512. */
const PROOF_LENGTHS = new Set([20, 32, 48, 64]);

/** Values of fixed length, by marker byte. */
const fixed = new Map([
  [0x01, 2],
  [0x03, 1],
  [0x06, 8],
  [0x07, 8],
  [0x08, 4],
  [0x09, 4],
  [0x0c, 0],
  [0x1b, 12],
  [0x1c, 0],
  [0x1f, 1],
  ...[0x64, 0x65, 0x66, 0x67, 0x68].map((mark) => [mark, 0] as const),
]);
/** Values that contain a fixed number of other values. */
const groups = new Map([
  [0x0f, 2],
  [0x10, 3],
]);

class NotReadable extends Error {}

/** Returns true for a view state that is neither encrypted nor signed, undefined if that cannot be determined. */
export function isUnprotected(field: string): boolean | undefined {
  const bytes = Buffer.from(field, 'base64');
  // Encrypted view states can start with any byte.
  if (bytes[0] !== 0xff || bytes[1] !== 0x01) return undefined;
  try {
    const rest = bytes.length - endOfTree(bytes);
    if (rest === 0) return true;
    return PROOF_LENGTHS.has(rest) ? false : undefined;
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    return undefined;
  }
}

function endOfTree(bytes: Buffer): number {
  let at = 2;
  /** Number of values still to be read. Replaces recursion, so that deep trees are harmless. */
  let waiting = 1;

  function take(count: number): number {
    at += count;
    if (at > bytes.length) throw new NotReadable();
    return bytes[at - 1] ?? 0;
  }
  function takeNumber(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = take(1);
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new NotReadable();
  }
  function takeType(): void {
    const mark = take(1);
    if (mark === 0x2b) takeNumber();
    else if (mark === 0x29 || mark === 0x2a) take(takeNumber());
    else throw new NotReadable();
  }
  function takeValue(mark: number): void {
    if (mark === 0x02 || mark === 0x0a || mark === 0x04) takeNumber();
    else if (mark === 0x05 || mark === 0x1e || mark === 0x32) take(takeNumber());
    else if (mark === 0x15) for (let left = takeNumber(); left > 0; left--) take(takeNumber());
    else if (mark === 0x16) waiting += takeNumber();
    else if (mark === 0x17 || mark === 0x18) waiting += takeNumber() * 2;
    else takeTyped(mark);
  }
  function takeTyped(mark: number): void {
    if (mark !== 0x0b && mark !== 0x14 && mark !== 0x19 && mark !== 0x28) throw new NotReadable();
    takeType();
    if (mark === 0x0b) takeNumber();
    else if (mark === 0x14) waiting += takeNumber();
    else if (mark === 0x28) take(takeNumber());
  }

  for (let read = 0; waiting > 0; read++) {
    if (read > MOST_VALUES) throw new NotReadable();
    waiting--;
    const mark = take(1);
    const bytesOf = fixed.get(mark);
    const groupOf = groups.get(mark);
    if (bytesOf !== undefined) take(bytesOf);
    else if (groupOf !== undefined) waiting += groupOf;
    else takeValue(mark);
  }
  return at;
}
