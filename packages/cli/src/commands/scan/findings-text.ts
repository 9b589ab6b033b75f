import type { ScanFindingsResponse } from '@sortie/contract';
import type { Scan } from '@sortie/sdk';
import { Help } from 'commander';
import type { Paint } from '../../core/paint.ts';
import { shown } from '../../text.ts';

export type Finding = ScanFindingsResponse['findings'][number];

/** Where the output is no terminal. */
const USUAL_COLUMNS = 100;
const SEVERITY_WIDTH = 'CRITICAL'.length;
const INDENT = ' '.repeat(SEVERITY_WIDTH + 7);

const help = new Help();

export function wrapped(text: string, indent = ''): string {
  const width = (process.stdout.columns || USUAL_COLUMNS) - indent.length;
  return help
    .boxWrap(shown(text), width)
    .split('\n')
    .map((line) => `${indent}${line}\n`)
    .join('');
}

export const section = (paint: Paint, title: string) => `\n${paint.bold(title)}\n\n`;

/** A check that does not apply to a site has passed: whoever wonders at the number is told. */
export function checksText({ checks }: Pick<Scan, 'checks'>): string {
  const { run, passed, failed, notRun } = checks ?? {};
  return `${run} run (${failed} failed, ${passed} passed or did not apply), ${notRun} not run`;
}

export function countsText({ findingCounts }: Pick<Scan, 'findingCounts'>): string {
  const { total = 0, ...counts } = findingCounts ?? {};
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return total === 0 ? 'none' : `${total} (${some.map(([severity, count]) => `${count} ${severity}`).join(', ')})`;
}

export function findingText(paint: Paint, finding: Finding, isVerbose: boolean): string {
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

function details({ confidence, cweId, description, evidence }: Finding): string[] {
  const seen = (evidence ?? '').split('\n').filter((line) => line !== '');
  return [
    `${INDENT}${confidence}${cweId === null ? '' : `, ${cweId}`}\n`,
    wrapped(description, INDENT),
    ...seen.map((line) => `${INDENT}| ${shown(line)}\n`),
  ];
}
