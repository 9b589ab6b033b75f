import { styleText } from 'node:util';
import type { ScanFindingsResponse } from '@sortie/contract';
import type { Scan } from '@sortie/sdk';
import { Help } from 'commander';
import { shown } from '../../text.ts';

export type Finding = ScanFindingsResponse['findings'][number];
type Style = Parameters<typeof styleText>[0];

const severityStyles: Record<Finding['severity'], Style> = {
  CRITICAL: ['bold', 'red'],
  HIGH: 'red',
  MEDIUM: 'yellow',
  LOW: 'cyan',
  INFO: 'dim',
};

const MOST_COLUMNS = 100;
const SEVERITY_WIDTH = 'CRITICAL'.length;
const INDENT = ' '.repeat(SEVERITY_WIDTH + 7);

const help = new Help();

/** Without colours where the output is no terminal, or NO_COLOR is set. */
const styled = (style: Style, text: string) => styleText(style, text, { stream: process.stdout });

export function wrapped(text: string, indent = ''): string {
  const width = Math.min(process.stdout.columns || MOST_COLUMNS, MOST_COLUMNS) - indent.length;
  return help
    .boxWrap(shown(text), width)
    .split('\n')
    .map((line) => `${indent}${line}\n`)
    .join('');
}

export const section = (title: string) => `\n${styled('bold', title)}\n\n`;

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

export function findingText(finding: Finding, isVerbose: boolean): string {
  const { severity, scoreImpact, title, checkId, affectedUrl, remediation } = finding;
  const points = String(scoreImpact && -scoreImpact).padStart(4);
  return [
    `${styled(severityStyles[severity], severity.padEnd(SEVERITY_WIDTH))} ${points}  ${shown(title)}\n`,
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
