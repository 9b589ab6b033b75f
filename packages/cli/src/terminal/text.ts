type Value = string | number | boolean | Date | null | undefined | readonly string[];

/** A name from elsewhere must not be able to give orders to the terminal it is shown on. */
export function shown(value: Value): string {
  if (value === null || value === undefined) return '-';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return text.replace(/\p{Cc}/gu, '?');
}

/** One line each, values under each other. */
export function fields(record: Record<string, Value>): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}\n`)
    .join('');
}

/** One line for each row under a line of headings; `nothing` in place of an empty table. */
export function table(headings: readonly string[], rows: readonly (readonly Value[])[], nothing: string): string {
  if (rows.length === 0) return `${nothing}\n`;
  const lines = [headings, ...rows.map((row) => row.map(shown))];
  const widths = headings.map((_heading, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => `${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .map((line) => `${cut(line, process.stdout.columns)}\n`)
    .join('');
}

/** A terminal would break the line in the middle of a column; what is not a terminal has no columns. */
const cut = (line: string, columns: number | undefined) =>
  columns !== undefined && line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
