/** Control characters, what XML has no place for, and marks that turn the direction of what is read after them. */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;

const written = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text of others, made fit for every format: what cannot be printed is spelt out, so that it is still seen. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(unprintable, written);
}

/** At most so many UTF-16 units, saying what is left out, never half a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const note = ` … (${text.length} characters)`;
  return text.slice(0, Math.max(0, most - note.length)).replace(/[\ud800-\udbff]$/, '') + note;
}

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
