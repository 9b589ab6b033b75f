import { createHmac } from 'node:crypto';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PERIOD_MS = 30_000;

/** The code that the app shows next, which is accepted a little early: each code works once. */
export const nextTotpCode = (uri: string): string => totpCode(uri, Date.now() + PERIOD_MS);

/** Returns the code of an authenticator app (RFC 6238) for the URI that it scans. */
export function totpCode(uri: string, at = Date.now()): string {
  const bits = [...(new URL(uri).searchParams.get('secret') ?? '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / PERIOD_MS)));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
