/** A part of a text, from `start` up to `end`. */
export interface Span {
  start: number;
  end: number;
}

/** Returns the spans in order; those that overlap become one. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** Returns the text with each span replaced; the spans are in order and do not overlap. */
export function replaceSpans(text: string, spans: readonly Span[], replacementFor: (part: string) => string): string {
  const rests = spans.map(
    ({ start, end }, index) => replacementFor(text.slice(start, end)) + text.slice(end, spans[index + 1]?.start),
  );
  return text.slice(0, spans[0]?.start) + rests.join('');
}
