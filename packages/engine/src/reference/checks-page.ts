import cvss from 'ae-cvss-calculator';
import type { ActiveCheck } from '../active/define-active-check.ts';
import type { ProposedCheck } from '../active/proposed/proposed-checks.ts';
import type { PassiveCheck } from '../passive/define-passive-check.ts';
import { groupLimits } from '../passive/score.ts';

interface AllChecks {
  passive: readonly PassiveCheck[];
  active: readonly ActiveCheck[];
  proposed: readonly ProposedCheck[];
}

/** Writes docs/checks.md: what each check finds, and from which level on. */
export function writeChecksPage({ passive, active, proposed }: AllChecks): string {
  return `${[
    '# Checks',
    `${passive.length} passive checks judge what every visitor sees, in scans and in pentests. ${active.length} active checks` +
      ` send tests of their own in pentests of verified targets; a planner can propose ${proposed.length} more kinds of` +
      ' experiments ([ai.md](ai.md)). This page is generated from the checks by `npm run docs:accept`;' +
      ' [adding-a-check.md](adding-a-check.md) tells how one is written.',
    '## Active checks',
    'The CVSS 3.1 score is that of the flaw without a login; a finding that took a login is scored lower.' +
      ' Level is the first level that runs the check ([pentesting.md](pentesting.md)). Under "Needs", *browser* and' +
      ' *callbacks* name what a check cannot run without; it is told as not tested where they are missing.',
    ...sections(active, ({ group = '' }) => group, activeTable),
    '## Experiments of a planner',
    'A model fills in the experiment, the engine carries it out twice and judges it. These run from STANDARD on.',
    table(
      ['Id', 'Finds', 'CWE'],
      [...proposed].sort(byId).map(({ id, title, cwe }) => [code(id), title, weakness(cwe)]),
    ),
    '## Passive checks',
    'A scan runs all of them; a pentest judges each page that it has received. The severity is the default of the check.',
    ...sections(passive, ({ group }) => group, passiveTable, Object.keys(groupLimits)),
  ].join('\n\n')}\n`;
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

function sections<Check extends { id: string }>(
  checks: readonly Check[],
  groupOf: (check: Check) => string,
  write: (checks: Check[]) => string,
  order: readonly string[] = [...new Set(checks.map(groupOf))].sort(),
): string[] {
  const grouped = Map.groupBy([...checks].sort(byId), groupOf);
  return order.flatMap((group) => [`### ${group}`, write(grouped.get(group) ?? [])]);
}

function activeTable(checks: ActiveCheck[]): string {
  return table(
    ['Id', 'Finds', 'CWE', 'CVSS', 'Level', 'Needs'],
    checks.map((check) => [
      code(check.id),
      check.title,
      weakness(check.cwe),
      scoreOf(check.cvss),
      levelOf(check),
      [check.needsBrowser === true && 'browser', check.needsOutside && 'callbacks'].filter(Boolean).join(', '),
    ]),
  );
}

function passiveTable(checks: PassiveCheck[]): string {
  return table(
    ['Id', 'Finds', 'CWE', 'Severity'],
    checks.map(({ id, title, cwe, severity }) => [code(id), title, weakness(cwe), severity]),
  );
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

const code = (id: string) => `\`${id}\``;
const weakness = (cwe: number | null) =>
  cwe === null ? '' : `[${cwe}](https://cwe.mitre.org/data/definitions/${cwe}.html)`;

function scoreOf(vector: string): string {
  return new cvss.Cvss3P1(vector).calculateScores().overall.toFixed(1);
}

function levelOf({ depth, risk, isForLogins, registersOwn }: ActiveCheck): string {
  return depth ?? (risk === 'harmless' && !isForLogins && !registersOwn ? 'LEAD' : 'STANDARD');
}
