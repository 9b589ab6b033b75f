import { createHash } from 'node:crypto';

/**
 * Returns a random name of the same form: letters become letters and digits become digits, so that rules for names treat
 * both alike. Keeps the domain of an e-mail address. The same seed yields the same name.
 */
export function nameLike(name: string, seed: string): string {
  const [local = '', ...domain] = name.split('@');
  const bytes = createHash('sha512').update(seed).digest();
  const replaced = [...local].map((character, index) => {
    const byte = bytes[index % bytes.length] ?? 0;
    if (/\d/.test(character)) return String(byte % 10);
    if (/[a-z]/.test(character)) return letter('a', byte);
    if (/[A-Z]/.test(character)) return letter('A', byte);
    return character;
  });
  return [replaced.join(''), ...domain].join('@');
}

const LETTERS = 26;
const letter = (first: string, byte: number) => String.fromCharCode(first.charCodeAt(0) + (byte % LETTERS));
