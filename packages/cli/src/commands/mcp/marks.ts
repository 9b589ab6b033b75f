import { randomBytes } from 'node:crypto';

/** Invisible and bidirectional formatting characters, which can hide whole sentences. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const OPEN = '⟦';
const CLOSE = '⟧';
const MOST_PLAIN = 500;
const MOST_UNTRUSTED = 4_000;

/** Separates our own text from untrusted text of the target within one tool result. */
export interface Marks {
  /** Encloses text that the target may control in marks that it cannot forge. */
  untrusted<Text extends string | null>(text: Text, limit?: number): Text;
  /** Returns a copy of the data with every unmarked string cleaned. */
  seal(value: unknown): unknown;
  /** Cleans a text of several lines. */
  plain(text: string): string;
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit).toWellFormed()} … (${text.length - limit} more characters)`;
}

/** `hide` removes secrets. The nonce is new for each result, so that no target can know it. */
export function createMarks(hide: (text: string) => string): Marks {
  const number = randomBytes(4).toString('hex');
  const marked = new Set<string>();

  function clean(text: string, limit: number): string {
    const visible = hide(text).toWellFormed().replaceAll('\r\n', '\n').replace(UNSEEN, '\ufffd');
    return cut(visible.replaceAll(OPEN, '[').replaceAll(CLOSE, ']'), limit);
  }
  function untrusted<Text extends string | null>(text: Text, limit = MOST_UNTRUSTED): Text {
    if (text === null) return text;
    const whole = `${OPEN}untrusted ${number}${CLOSE}${clean(text, limit)}${OPEN}/untrusted ${number}${CLOSE}`;
    marked.add(whole);
    return whole as Text;
  }
  function seal(value: unknown): unknown {
    if (typeof value === 'string') return marked.has(value) ? value : clean(value, MOST_PLAIN).replace(/[\n\t]/g, ' ');
    if (Array.isArray(value)) return value.map(seal);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, seal(field)]));
  }
  return { untrusted, seal, plain: (text) => clean(text, MOST_UNTRUSTED) };
}
