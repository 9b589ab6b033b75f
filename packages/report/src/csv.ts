import { stringify } from 'csv-stringify/sync';
import { withoutCommands } from './ci-commands.ts';
import { prepare } from './prepare.ts';
import type { Report } from './report.ts';
import type { ReportFinding } from './report-finding.ts';
import { cutText } from './text.ts';

const columns = [
  'severity',
  'confidence',
  'title',
  'affectedUrl',
  'method',
  'parameter',
  'cweId',
  'cvssScore',
  'description',
  'remediation',
  'evidence',
  'ruleId',
  'id',
  'fingerprint',
  'checkId',
  'location',
  'owaspCategory',
  'cvssVector',
  'references',
  'impact',
  'stepsToReproduce',
  'cvss4Vector',
  'history',
] as const;

/** Spreadsheets reject cells of more than 32,767 characters. */
const MOST_TEXT = 32_000;

/** Trims the value, because spreadsheets also evaluate formulas after leading spaces. */
const toCell = (value: string | null) => cutText(withoutCommands((value ?? '').trim()), MOST_TEXT);

function toRow({ cwe, references, stepsToReproduce, ...finding }: ReportFinding): Record<string, string> {
  const cells = {
    ...finding,
    cweId: cwe === null ? null : `CWE-${cwe}`,
    references: references.join('\n'),
    stepsToReproduce: stepsToReproduce.join('\n'),
  };
  return Object.fromEntries(columns.map((column) => [column, toCell(cells[column])]));
}

/** Returns the findings as CSV. Cells never start a formula. */
export function renderCsv(report: Report): string {
  const rows = prepare(report).findings.map(toRow);
  return stringify(rows, {
    header: true,
    columns: [...columns],
    escape_formulas: true,
    quoted: true,
    record_delimiter: '\r\n',
  });
}
