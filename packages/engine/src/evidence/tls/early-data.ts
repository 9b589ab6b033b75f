import { type DerElement, readElements } from './der.ts';

/** Tag of this field in OpenSSL's serialised session. */
const MAX_EARLY_DATA = 0xa0 | 15;
const SEQUENCE = 0x30;
/** Node writes the server name before the session. */
const MAX_PREFIX = 300;

function orNone(bytes: Buffer): DerElement[] {
  try {
    return readElements(bytes);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Returns how many bytes of early data the server accepts; 0 if the session does not say. */
export function maxEarlyDataOf(session: Buffer): number {
  for (let start = 0; start < Math.min(MAX_PREFIX, session.length); start++) {
    if (session[start] !== SEQUENCE) continue;
    const [whole, ...others] = orNone(session.subarray(start));
    if (!whole || others.length > 0) continue;
    const field = orNone(whole.body).find(({ tag }) => tag === MAX_EARLY_DATA);
    const [number] = field ? orNone(field.body) : [];
    return number ? Number(BigInt(`0x${number.body.toString('hex') || '0'}`)) : 0;
  }
  return 0;
}
