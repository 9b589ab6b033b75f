/** An ASN.1 element in DER. */
export interface DerElement {
  tag: number;
  body: Buffer;
}

const MAX_DEPTH = 12;

/** Returns the sibling elements. Throws a RangeError if the bytes are not DER. */
export function readElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const extra = first > 0x80 ? first - 0x80 : 0;
    if (first === 0x80 || extra > 4) throw new RangeError('It is not DER.');
    const length = extra > 0 ? bytes.readUIntBE(at + 2, extra) : first;
    const start = at + 2 + extra;
    if (start + length > bytes.length) throw new RangeError('It ends too early.');
    elements.push({ tag, body: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

const isConstructed = ({ tag }: DerElement) => (tag & 0x20) !== 0;

/** Yields every list of sibling elements, down to the depth limit. */
export function* walk(bytes: Buffer, depth = 0): Generator<DerElement[]> {
  if (depth > MAX_DEPTH) return;
  const elements = readElements(bytes);
  yield elements;
  for (const element of elements) if (isConstructed(element)) yield* walk(element.body, depth + 1);
}

export function writeOid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return Buffer.from([first * 40 + second, ...rest.flatMap(toBase128)]);
}

function toBase128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** Returns the content of an extension by OID, or undefined without it. */
export function extensionOf(der: Buffer, oid: string): Buffer | undefined {
  const name = writeOid(oid);
  for (const [first, ...others] of walk(der)) {
    if (first?.tag === 6 && first.body.equals(name)) return others.find(({ tag }) => tag === 4)?.body;
  }
  return undefined;
}
