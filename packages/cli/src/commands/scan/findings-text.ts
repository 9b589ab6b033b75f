import type { ScanFindingsResponse } from '@sortie/contract';
import type { Scan } from '@sortie/sdk';
import { Help } from 'commander';
import type { Paint } from '../../terminal/paint.ts';
import { shown } from '../../terminal/text.ts';

export type ContractScanFinding = ScanFindingsResponse['findings'][number];

/** Width if the output is not a terminal. */
const USUAL_COLUMNS = 100;
const SEVERITY_WIDTH = 'CRITICAL'.length;
const INDENT = ' '.repeat(SEVERITY_WIDTH + 7);

const help = new Help();

function wrapped(text: string, indent = ''): string {
  const width = (process.stdout.columns || USUAL_COLUMNS) - indent.length;
  return help
    .boxWrap(shown(text), width)
    .split('\n')
    .map((line) => `${indent}${line}\n`)
    .join('');
}

export const section = (paint: Paint, title: string) => `\n${paint.bold(title)}\n\n`;

export function checksText({ checks }: Pick<Scan, 'checks'>): string {
  const { run, passed, failed, notApplicable = null, notRun } = checks ?? {};
  // Earlier releases counted checks that do not apply as passed.
  if (notApplicable === null)
    return `${run} run (${failed} failed, ${passed} passed or not applicable), ${notRun} not run`;
  return `${run} run (${failed} failed, ${passed} passed), ${notApplicable} not applicable, ${notRun} not run`;
}

/** Groups the checks by reason. */
export function notRunText(paint: Paint, notRun: Scan['notRunReasons']): string {
  if (notRun.length === 0) return '';
  const reasons = [...Map.groupBy(notRun, ({ reason }) => reason)];
  const lines = reasons.map(
    ([reason, checks]) => wrapped(reason, '  ') + wrapped(checks.map(({ checkId }) => checkId).join(', '), '    '),
  );
  return `${section(paint, `Checks that were not run: ${notRun.length}`)}${lines.join('')}`;
}

export function countsText({ findingCounts }: Pick<Scan, 'findingCounts'>): string {
  const { total = 0, ...counts } = findingCounts ?? {};
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return total === 0 ? 'none' : `${total} (${some.map(([severity, count]) => `${count} ${severity}`).join(', ')})`;
}

export function findingText(paint: Paint, finding: ContractScanFinding, isVerbose: boolean): string {
  const { severity, scoreImpact, title, checkId, affectedUrl, remediation } = finding;
  const points = String(scoreImpact && -scoreImpact).padStart(4);
  return [
    `${paint.severity(severity, severity.padEnd(SEVERITY_WIDTH))} ${points}  ${shown(title)}\n`,
    `${INDENT}${checkId}${affectedUrl === null ? '' : ` at ${shown(affectedUrl)}`}\n`,
    ...(isVerbose ? details(finding) : []),
    wrapped(`Fix: ${remediation}`, INDENT),
    ...(isVerbose ? finding.references.map((reference) => `${INDENT}See: ${shown(reference)}\n`) : []),
  ].join('');
}

function details({ confidence, cweId, description, evidence }: ContractScanFinding): string[] {
  const seen = (evidence ?? '').split('\n').filter((line) => line !== '');
  return [
    `${INDENT}${confidence}${cweId === null ? '' : `, ${cweId}`}\n`,
    wrapped(description, INDENT),
    ...seen.map((line) => `${INDENT}| ${shown(line)}\n`),
  ];
}
