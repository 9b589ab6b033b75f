/** Parses RFC 4180 CSV. Throws if an unquoted cell contains a quote. */
export function readCsv(source: string): string[][] {
  const cell = /"((?:[^"]|"")*)"(,|\r\n)|([^",\r\n]*)(,|\r\n)/y;
  const rows: string[][] = [[]];
  while (cell.lastIndex < source.length) {
    const at = cell.lastIndex;
    const match = cell.exec(source);
    if (!match) throw new Error(`not CSV at ${at}: ${source.slice(at, at + 40)}`);
    const [, quoted, afterQuoted, plain = '', afterPlain] = match;
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if ((afterQuoted ?? afterPlain) === '\r\n') rows.push([]);
  }
  rows.pop();
  return rows;
}
