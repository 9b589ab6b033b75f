/** Longer lines are data of a target and not sentences of ours. */
const MOST_LINE = 10_000;

/** What may follow the end of a code span. */
const BEHIND = /^[.,;:)]*(?:\s|$)/;
const MOST_BEHIND = 10;

/** Returns the character that ends the code span around a position: our sentences quote traffic as `…`, or as “…”. */
function closingAt(text: string, at: number): string | undefined {
  const before = text.slice(Math.max(0, at - MOST_LINE), at);
  const start = before.lastIndexOf('\n') + 1;
  if (start === 0 && at > MOST_LINE) return undefined;
  const line = before.slice(start);
  if (line.lastIndexOf('“') > line.lastIndexOf('”')) return '”';
  return line.split('`').length % 2 === 0 ? '`' : undefined;
}

/** Returns `end`, or the end of the code span that contains `from` if it ends earlier: behind it a sentence goes on. */
export function endInSpan(text: string, from: number, end: number): number {
  const value = text.slice(from, end);
  if (!/[`”]/.test(value)) return end;
  const closing = closingAt(text, from);
  if (closing === undefined) return end;
  for (let at = value.indexOf(closing); at >= 0; at = value.indexOf(closing, at + 1)) {
    const behind = from + at + 1;
    if (BEHIND.test(text.slice(behind, behind + MOST_BEHIND))) return from + at;
  }
  return end;
}
