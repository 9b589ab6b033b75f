/** Control characters, characters that XML does not allow, and bidirectional formatting marks. */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;

const written = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Cleans untrusted text for every format: unprintable characters become visible escapes. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(unprintable, written);
}

/** Truncates to `most` UTF-16 units including a note of the full length, never within a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const note = ` … (${text.length} characters)`;
  return text.slice(0, Math.max(0, most - note.length)).replace(/[\ud800-\udbff]$/, '') + note;
}

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
