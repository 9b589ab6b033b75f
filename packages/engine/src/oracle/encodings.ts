/** How a target reads a value once more behind its filter: percent-encoding, or full-width forms as ASCII (NFKC). */
export type Decoding = 'percent' | 'wide';

/** Encodes every character, which the request encodes once more. */
export const asPercent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const TO_WIDE = 0xff01 - 0x21;
/** Writes ASCII characters in their full-width forms; a space becomes an ideographic one. */
export const asWide = (text: string) =>
  text
    .replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + TO_WIDE))
    .replaceAll(' ', '\u3000');
