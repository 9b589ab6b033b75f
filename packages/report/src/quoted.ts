import { endInSpan } from './code-span.ts';

/** Quotes in plain text, in nested JSON strings, in HTML and in URLs. */
export const QUOTE = '(?:\\\\{0,7}["\']|&quot;|&#34;|&#39;|%22|%27)';

const LINE_END = /[\r\n]/;

/**
 * Returns the end of a quoted value, or of the line if the value is truncated. A quote within the value has more
 * backslashes than the opening quote: in nested JSON, for an opening quote with n backslashes, 2n + 1 plus any multiple
 * of 2n + 2.
 */
function endOfQuoted(text: string, from: number, quote: string): number {
  const mark = quote.replace(/^\\*/, '');
  const slashes = quote.length - mark.length;
  let run = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') run += 1;
    else if (LINE_END.test(text[at] ?? '')) return at;
    else if (text.startsWith(mark, at) && (mark.length > 1 || run % (2 * slashes + 2) === slashes)) return at - slashes;
    else run = 0;
  }
  return text.length;
}

/** In a URL-encoded form the value may contain quotes: it ends at the next field. */
function endOfField(text: string, from: number): number {
  const rest = /[^&\s"<>]*/y;
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : from;
}

/** Replaces the quoted value after each match of `opening`, whose named groups are `quote` and optionally `sign`. */
export function replaceQuoted(text: string, opening: RegExp, replace: (value: string) => string): string {
  let replaced = '';
  let done = 0;
  opening.lastIndex = 0;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const { quote = '"', sign } = match.groups ?? {};
    const begin = opening.lastIndex;
    const closing = endInSpan(text, begin, endOfQuoted(text, begin, quote));
    const isField = sign === '=' && !quote.endsWith('"');
    const end = isField ? endInSpan(text, begin, endOfField(text, closing)) : closing;
    replaced += text.slice(done, begin) + replace(text.slice(begin, closing));
    done = end;
    opening.lastIndex = Math.max(end, begin);
  }
  return replaced + text.slice(done);
}
