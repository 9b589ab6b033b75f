import { TransportError } from './errors.ts';
import type { Pages } from './pages.ts';

interface FindingsPage<Finding> {
  total: number | null;
  nextOffset: number | null;
  findings: Finding[];
}

/** The findings of a report. */
export interface FindingsReport<Finding> {
  findings: Finding[];
  /** False while the report is not released, or if it changed between two pages. */
  isWhole: boolean;
}

/** Resolves to all findings of a run, and whether they match the total that the service states. */
export async function readReport<Finding extends { id: string }, Data extends FindingsPage<Finding>>(
  list: Pages<Finding, Data>,
): Promise<FindingsReport<Finding>> {
  const findings = new Map<string, Finding>();
  const totals = new Set<number | null>();
  for await (const { data } of list.pages()) {
    if (!Array.isArray(data.findings))
      throw new TransportError('unreadable', 'The response has no list of findings.', {});
    for (const finding of data.findings) findings.set(finding.id, finding);
    totals.add(data.total ?? null);
  }
  return { findings: [...findings.values()], isWhole: totals.size === 1 && totals.has(findings.size) };
}
