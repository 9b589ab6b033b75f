export interface TextSpan {
  start: number;
  end: number;
}

interface Part {
  start: number;
  part: string;
  isMarked: boolean;
}

/** Splits a text at the spans, which are in UTF-16 code units. Spans that do not fit the text are left out. */
export function splitText(text: string, spans: readonly TextSpan[]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  const add = (end: number, isMarked: boolean) => {
    if (end > at) parts.push({ start: at, part: text.slice(at, end), isMarked });
    at = Math.max(at, end);
  };
  for (const { start, end } of [...spans].sort((left, right) => left.start - right.start)) {
    if (start < at || end > text.length || end <= start) continue;
    add(start, false);
    add(end, true);
  }
  add(text.length, false);
  return parts;
}
