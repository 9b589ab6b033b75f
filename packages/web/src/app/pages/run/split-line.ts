/** Lists of this length or longer are folded. */
const LONG = 6;

const LISTS = /^(.+): ([a-z0-9][a-z0-9-]*(?:, [a-z0-9][a-z0-9-]*)*)\.$/;

/** Splits "Tested 9 parameters with 29 checks: a, b, …." into its lead and its long list; other lines stay whole. */
export function splitLine(line: string): { lead: string; ids: readonly string[] } {
  const [, lead = line, list = ''] = LISTS.exec(line) ?? [];
  const ids = list.split(', ');
  return ids.length < LONG ? { lead: line, ids: [] } : { lead, ids };
}
