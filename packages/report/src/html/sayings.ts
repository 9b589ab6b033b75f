import type { Prepared } from '../prepare.ts';

interface Sayings {
  /** What was tested and what was not, without lists of checks. */
  tested: readonly string[];
  /** What the run changed at the target, removed and left. */
  changed: readonly string[];
  /** Lists of checks: a title and their ids. */
  checks: readonly { title: string; ids: readonly string[] }[];
}

/** Sentences of the engine about changes at the target. */
const CHANGE =
  /^Sent \d+ requests?: |^Changed (?:a|\d+) values? |\bcreated at [A-Z]+ |^Could not undo|^Accepted without a sign|^Most test data contains|\bRestore (?:it|them) by hand/;

/** A sentence that ends with many ids of checks. */
const LIST = /^(.*): ((?:[a-z0-9]+(?:-[a-z0-9]+)*, ){4,}[a-z0-9]+(?:-[a-z0-9]+)*)\.$/;

/** Sorts the lines of the run's summary by the chapter that they belong to. */
export function sayingsOf(report: Prepared): Sayings {
  const lines = report.kind === 'scan' ? [] : (report.summary ?? '').split('\n').filter((line) => line.trim() !== '');
  const rest = lines.filter((line) => !CHANGE.test(line));
  const lists = rest.map((line) => LIST.exec(line));
  return {
    changed: lines.filter((line) => CHANGE.test(line)),
    tested: rest.map((line, index) => (lists[index] ? `${lists[index][1]} (listed in the appendix).` : line)),
    checks: lists.flatMap((found) => (found ? [{ title: found[1] ?? '', ids: (found[2] ?? '').split(', ') }] : [])),
  };
}
