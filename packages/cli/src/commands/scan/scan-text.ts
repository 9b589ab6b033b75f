import { styleText } from 'node:util';
import { groupLimits, type JudgedScan } from '@sortie/engine';
import { Help } from 'commander';
import { fields, shown } from '../../text.ts';
import type { ScanDocument } from './scan-document.ts';

type Finding = ScanDocument['findings'][number];
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

function wrapped(text: string, indent = ''): string {
  const width = Math.min(process.stdout.columns || MOST_COLUMNS, MOST_COLUMNS) - indent.length;
  return help
    .boxWrap(shown(text), width)
    .split('\n')
    .map((line) => `${indent}${line}\n`)
    .join('');
}

export function scanText({ scan, result }: JudgedScan, document: ScanDocument, isVerbose: boolean): string {
  const { findings } = document;
  const notRun = ('notRun' in result && result.notRun) || [];
  return [
    summary(scan, document),
    groupsText(findings),
    section(`Findings, worst first: ${countsText(document)}`),
    findings.map((finding) => findingText(finding, isVerbose)).join('\n'),
    notRunText(notRun),
  ].join('');
}

const section = (title: string) => `\n${styled('bold', title)}\n\n`;

function summary({ egress, createdAt, completedAt }: JudgedScan['scan'], document: ScanDocument): string {
  const { url, score, grade, checks } = document;
  const contacted = egress.filter(({ outcome }) => outcome === 'CONTACTED');
  const sum = (what: 'requests' | 'connections') => contacted.reduce((total, entry) => total + entry[what], 0);
  const seconds = ((Date.parse(completedAt) - Date.parse(createdAt)) / 1000).toFixed(1);
  return fields({
    Site: url,
    Score: `${score} of 100, grade ${grade}`,
    Checks: `${checks?.run} run (${checks?.passed} passed, ${checks?.failed} failed), ${checks?.notRun} not run`,
    Sent: `${sum('requests')} requests over ${sum('connections')} connections in ${seconds} s`,
    When: createdAt,
  });
}

function countsText({ findingCounts }: ScanDocument): string {
  const { total = 0, ...counts } = findingCounts ?? {};
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return total === 0 ? 'none' : `${total} (${some.map(([severity, count]) => `${count} ${severity}`).join(', ')})`;
}

/** What each group took, and how much it may take. */
function groupsText(findings: readonly Finding[]): string {
  const groups = [...Map.groupBy(findings, ({ category }) => category)].map(([name, found]) => ({
    name,
    taken: found.reduce((sum, { scoreImpact }) => sum + scoreImpact, 0),
    limit: Object.entries(groupLimits).find(([group]) => group === name)?.[1] ?? 0,
  }));
  if (groups.length === 0) return '';
  const width = Math.max(...groups.map(({ name }) => name.length));
  const lines = groups
    .toSorted((left, right) => right.taken - left.taken)
    .map(({ name, taken, limit }) => {
      const note = taken > limit ? `limit ${limit}, but its worst check counts in full` : `limit ${limit}`;
      return `  ${name.padEnd(width)}  ${String(taken && -taken).padStart(4)}  (${note})\n`;
    });
  return `${section('Points by group')}${lines.join('')}`;
}

function findingText(finding: Finding, isVerbose: boolean): string {
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

/** Checks of one reason together. */
function notRunText(notRun: readonly { checkId: string; reason: string }[]): string {
  if (notRun.length === 0) return '';
  const reasons = [...Map.groupBy(notRun, ({ reason }) => reason)];
  const lines = reasons.map(
    ([reason, checks]) => wrapped(reason, '  ') + wrapped(checks.map(({ checkId }) => checkId).join(', '), '    '),
  );
  return `${section(`Checks that were not run: ${notRun.length}`)}${lines.join('')}`;
}
