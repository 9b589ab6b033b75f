import { type DerElement, readElements, walk, writeOid } from './der.ts';

export type Revocation = 'GOOD' | 'REVOKED' | 'UNKNOWN';

const states: Record<number, Revocation> = { 128: 'GOOD', 160: 'GOOD', 161: 'REVOKED', 130: 'UNKNOWN' };
const BASIC_RESPONSE = writeOid('1.3.6.1.5.5.7.48.1.1');

/**
 * Returns the status of the certificate with this serial number in an OCSP response (RFC 6960), or null if it is
 * absent.
 */
export function readRevocation(response: Buffer, serial: Buffer): Revocation | null {
  try {
    for (const elements of walk(basicResponse(response))) {
      const state = stateIn(elements, serial);
      if (state) return state;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

function basicResponse(response: Buffer): Buffer {
  for (const [type, content] of walk(response)) {
    if (type?.tag === 6 && type.body.equals(BASIC_RESPONSE) && content?.tag === 4) return content.body;
  }
  return Buffer.alloc(0);
}

/** A SingleResponse consists of a CertID, whose last part is the serial number, and a status. */
function stateIn([id, state]: readonly DerElement[], serial: Buffer): Revocation | undefined {
  if (id?.tag !== 0x30 || !state || !(state.tag in states)) return undefined;
  const number = readElements(id.body)[3];
  return number?.tag === 2 && withoutZeros(number.body).equals(withoutZeros(serial)) ? states[state.tag] : undefined;
}

const withoutZeros = (bytes: Buffer) => bytes.subarray(bytes.findIndex((byte) => byte !== 0));
