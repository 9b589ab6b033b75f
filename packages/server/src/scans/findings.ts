import type { FindingCounts, ScanFindingsResponse } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { toFindingCounts } from '../db/finding-counts.ts';
import { type FindingsPage, totalColumn, withTotal, worstFirst } from '../db/finding-pages.ts';

/**
 * Resolves to one page of a scan's findings, worst first: by severity, confidence and impact on the score. Ties have
 * the same order in every scan of a site, so the id comes last.
 */
export async function selectScanFindings(
  queries: Queries,
  scanId: string,
  { severity, limit, offset }: FindingsPage,
): Promise<Pick<ScanFindingsResponse, 'findings'> & { total: number }> {
  const matching = queries
    .selectFrom('scan_finding')
    .where('scan_id', '=', scanId)
    .$if(severity !== undefined, (query) => query.where('severity', 'in', severity ?? []));
  const count = () => matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching
    .select(['id', 'check_id as checkId', 'title', 'description', 'severity', 'confidence', 'category'])
    .select([
      'affected_url as affectedUrl',
      'evidence',
      'remediation',
      sql<string | null>`'CWE-' || cwe_id`.as('cweId'),
    ])
    .select(['score_impact as scoreImpact', 'references', totalColumn])
    .orderBy(worstFirst)
    .orderBy('score_impact', 'desc')
    .orderBy(sql`check_id collate "C", title collate "C", affected_url collate "C" nulls first`)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  const { rows: findings, total } = await withTotal(rows, count);
  return { findings, total };
}

/** Counts the findings of a page of scans, with 0 for scans without findings. */
export async function countFindings(
  queries: Queries,
  scanIds: readonly string[],
): Promise<(scanId: string) => FindingCounts> {
  const rows = await queries
    .selectFrom('scan_finding')
    .select(({ fn }) => ['scan_id as scanId', 'severity', fn.countAll<number>().as('count')])
    .where((is) => is('scan_id', '=', is.fn.any(is.val(scanIds))))
    .groupBy(['scan_id', 'severity'])
    .execute();
  const ofScan = Map.groupBy(rows, ({ scanId }) => scanId);
  return (scanId) => toFindingCounts(ofScan.get(scanId) ?? []);
}
