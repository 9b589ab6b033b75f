import type { Scan, ScanFinding } from '@sortie/sdk';
import type { Shell } from '../../api/command-context.ts';
import { fields } from '../../terminal/text.ts';
import { type ContractScanFinding, checksText, countsText, findingText, notRunText, section } from './findings-text.ts';
import { operatorHint } from './operator-hint.ts';

export const scanHead = ({ id, url, status, createdAt }: Scan): string =>
  fields({ Scan: id, Site: url, Status: status, When: createdAt });

/** Returns why a scan has no score, and what an operator can do about it. */
export function failedScanText(scan: Scan): string {
  const { id, url, createdAt, failure } = scan;
  const score = `none: ${failure?.message} [${failure?.code}]`;
  const facts = { Scan: id, Site: url, Status: 'ended without a result', When: createdAt, Score: score };
  return fields(facts) + operatorHint(scan);
}

interface Content {
  findings: readonly ScanFinding[];
  isVerbose: boolean;
}

/** Returns the score and the findings of a completed scan. */
export function resultOfScan({ paint }: Shell, scan: Scan, { findings, isVerbose }: Content): string {
  const facts = fields({ Score: `${scan.score} of 100, grade ${scan.grade}`, Checks: checksText(scan) });
  const list = findings.map((finding) => findingText(paint, finding as ContractScanFinding, isVerbose)).join('\n');
  const title = section(paint, `Findings, worst first: ${countsText(scan)}`);
  return [facts, title, list, notRunText(paint, scan.notRunReasons ?? [])].join('');
}
