import { groupLimits, type JudgedScan } from '@sortie/engine';
import type { Paint } from '../../terminal/paint.ts';
import { fields } from '../../terminal/text.ts';
import { type ContractScanFinding, checksText, countsText, findingText, notRunText, section } from './findings-text.ts';
import type { ScanDocument } from './scan-document.ts';

interface Manner {
  paint: Paint;
  isVerbose: boolean;
}

export function scanText({ scan }: JudgedScan, document: ScanDocument, { paint, isVerbose }: Manner): string {
  const { findings, notRunReasons } = document;
  return [
    summary(scan, document),
    groupsText(paint, findings),
    section(paint, `Findings, worst first: ${countsText(document)}`),
    findings.map((finding) => findingText(paint, finding, isVerbose)).join('\n'),
    notRunText(paint, notRunReasons),
  ].join('');
}

function summary({ egress, createdAt, completedAt }: JudgedScan['scan'], document: ScanDocument): string {
  const { url, score, grade } = document;
  const contacted = egress.filter(({ outcome }) => outcome === 'CONTACTED');
  const sum = (what: 'requests' | 'connections') => contacted.reduce((total, entry) => total + entry[what], 0);
  const seconds = ((Date.parse(completedAt) - Date.parse(createdAt)) / 1000).toFixed(1);
  return fields({
    Site: url,
    Score: `${score} of 100, grade ${grade}`,
    Checks: checksText(document),
    Sent: `${sum('requests')} requests over ${sum('connections')} connections in ${seconds} s`,
    When: createdAt,
  });
}

/** Lists the score impact of each category, and its limit. */
function groupsText(paint: Paint, findings: readonly ContractScanFinding[]): string {
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
      const note = taken > limit ? `limit ${limit} exceeded: the worst check counts in full` : `limit ${limit}`;
      return `  ${name.padEnd(width)}  ${String(taken && -taken).padStart(4)}  (${note})\n`;
    });
  return `${section(paint, 'Score impact by group')}${lines.join('')}`;
}
