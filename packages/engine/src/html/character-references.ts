/** Source of a pattern for the character references that escaping functions write. */
export const CHARACTER_REFERENCE = '&(?:#0*\\d{1,7}|#[xX]0*[0-9A-Fa-f]{1,6}|amp|lt|gt|quot|apos);';
const ALL = new RegExp(CHARACTER_REFERENCE, 'g');
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the character of one reference; the reference itself if there is no such character. */
export function decodeReference(reference: string): string {
  const name = reference.slice(1, -1);
  if (!name.startsWith('#')) return NAMED[name] ?? reference;
  const point = Number(/^#x/i.test(name) ? `0${name.slice(1)}` : name.slice(1));
  return point <= 0x10ffff ? String.fromCodePoint(point) : reference;
}

/** Decodes each reference once. Other entities stay as they are written. */
export const decodeReferences = (text: string): string => text.replace(ALL, decodeReference);
