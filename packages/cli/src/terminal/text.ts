type Value = string | number | boolean | Date | null | undefined | readonly string[];

/** Replaces control and bidirectional formatting characters, so that untrusted text cannot control the terminal. */
export function shown(value: Value): string {
  if (value === null || value === undefined) return '-';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '?');
}

/**
 * Serializes as JSON without control characters. `JSON.stringify` leaves DEL and C1 as they are, and a terminal would
 * obey them.
 */
export function toJson(value: unknown): string {
  const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, toEscape);
}

/** Formats one line per field, with aligned values. */
export function fields(record: Record<string, Value>): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}\n`)
    .join('');
}

/** Formats rows below a line of headings; returns `nothing` for an empty table. */
export function table(headings: readonly string[], rows: readonly (readonly Value[])[], nothing: string): string {
  if (rows.length === 0) return `${nothing}\n`;
  const lines = [headings, ...rows.map((row) => row.map(shown))];
  const widths = headings.map((_heading, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => `${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .map((line) => `${cut(line, process.stdout.columns)}\n`)
    .join('');
}

/** Truncates to the terminal width, because a wrapped line would break the columns. Other outputs have no width. */
const cut = (line: string, columns: number | undefined) =>
  columns !== undefined && line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
