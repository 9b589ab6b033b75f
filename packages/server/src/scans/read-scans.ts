import type { FindingCounts, ListScansResponse, Role, Scan, ScanFindingsResponse, Severity } from '@sortie/contract';
import type { Queries } from '../db/database.ts';
import { nextOffset } from '../db/paging.ts';
import { AppError } from '../errors/app-error.ts';
import { isAssignedToAll, isHostAssigned, listAssignedHosts } from '../targets/targets.ts';
import { countFindings, selectScanFindings } from './findings.ts';
import { type ScanRow, selectPage, selectScan } from './store.ts';

interface Reader {
  accountId: string;
  userId: string;
  role: Role;
}

/**
 * Resolves to a scan. Throws NOT_FOUND for a scan of another account, and FORBIDDEN if the host is not assigned to the
 * caller.
 */
async function findVisible(queries: Queries, caller: Reader, id: string): Promise<ScanRow> {
  const row = await selectScan(queries, id);
  if (row?.accountId !== caller.accountId) throw new AppError('NOT_FOUND');
  if (await isHostAssigned(queries, { ...caller, host: row.host })) return row;
  throw new AppError('FORBIDDEN', {
    message:
      'The domain of this scan is not assigned to you in the organization. Ask an owner to assign it (/to/targets).',
  });
}

/** Resolves to a scan. Throws if the caller may not see it. */
export async function readScan(queries: Queries, caller: Reader, id: string): Promise<Scan> {
  const row = await findVisible(queries, caller, id);
  return toScan(row, await countFindings(queries, [id]));
}

/** Resolves to one page of the account's scans of hosts assigned to the caller, newest first. */
export async function listScans(
  queries: Queries,
  { accountId, userId, role }: Reader,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListScansResponse> {
  const onlyHosts = isAssignedToAll(role) ? undefined : await listAssignedHosts(queries, accountId, userId);
  const rows = await selectPage(queries, { accountId, onlyHosts, limit: limit + 1, offset });
  const page = rows.slice(0, limit);
  const countOf = await countFindings(
    queries,
    page.map(({ id }) => id),
  );
  return {
    scans: page.map((row) => toScan(row, countOf)),
    nextOffset: nextOffset({ limit, offset }, rows.length > limit),
  };
}

function toScan(row: ScanRow, countOf: (id: string) => FindingCounts): Scan {
  const { id, passed, failed, notApplicable, notRun, failureCode, failureMessage } = row;
  const isJudged = passed !== null && failed !== null && notRun !== null;
  return {
    id,
    url: row.url,
    domain: row.domain,
    status: row.status,
    score: row.score,
    grade: row.grade,
    algorithmVersion: row.algorithmVersion,
    findingCounts: isJudged ? countOf(id) : null,
    checks: isJudged ? { run: passed + failed, passed, failed, notApplicable, notRun } : null,
    notRunReasons: row.notRunReasons,
    apiKeyId: row.apiKeyId,
    failure: failureCode !== null && failureMessage !== null ? { code: failureCode, message: failureMessage } : null,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

interface FindingsQuestion {
  severity?: Severity[] | undefined;
  limit: number;
  offset: number;
}

/**
 * Resolves to one page of the findings of a scan; none, with `total` null, while it is in progress or if it has no
 * verdict.
 */
export async function listFindings(
  queries: Queries,
  caller: Reader,
  id: string,
  { severity, limit, offset }: FindingsQuestion,
): Promise<ScanFindingsResponse> {
  const { status, score } = await findVisible(queries, caller, id);
  if (score === null) return { id, status, total: null, nextOffset: null, findings: [] };
  const { total, findings } = await selectScanFindings(queries, id, { severity, limit, offset });
  const hasMore = findings.length > 0 && offset + findings.length < total;
  return { id, status, total, nextOffset: nextOffset({ limit, offset }, hasMore), findings };
}
