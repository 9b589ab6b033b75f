import type { FindingCounts, Severity } from '@sortie/contract';

/** Returns the counts of all severities from one row per severity that occurs. */
export function toFindingCounts(rows: readonly { severity: Severity; count: number }[]): FindingCounts {
  const of = (severity: Severity) => rows.find((row) => row.severity === severity)?.count ?? 0;
  return {
    critical: of('CRITICAL'),
    high: of('HIGH'),
    medium: of('MEDIUM'),
    low: of('LOW'),
    info: of('INFO'),
    total: rows.reduce((sum, { count }) => sum + count, 0),
  };
}
