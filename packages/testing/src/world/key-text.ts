import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Appends a valid checksum, so that only the part under test is invalid. */
export function withChecksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = DIGITS.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return body + digits;
}

export function partsOfKey(key: string): { id: string; secret: string } {
  const [, id = '', secret = ''] = /^srt_test_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})[0-9A-Za-z]{6}$/.exec(key) ?? [];
  return { id, secret };
}

/** Returns the key that the other environment would have for the same id and secret. */
export function ofOtherEnvironment(key: string): string {
  const { id, secret } = partsOfKey(key);
  return withChecksum(`srt_live_${id}_${secret}`);
}
