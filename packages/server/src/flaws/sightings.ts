import type { Confidence, Depth, PentestStatus, Role, Severity } from '@sortie/contract';
import type { CoverageKey } from '@sortie/engine';
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { worstFirst } from '../db/finding-pages.ts';
import { isReportReadable, originOf, placeFingerprints } from '../pentests/pentests.ts';
import { isAssignedToAll } from '../targets/targets.ts';

/** Limits the work per request. */
const MOST_RUNS = 500;
const MOST_SIGHTINGS = 100_000;

export interface FlawReader {
  accountId: string;
  userId: string;
  role: Role;
}

/**
 * The origin of a run's target URL. A target can cover several hosts, whose findings can have the same fingerprints.
 */
export const siteColumn = sql<string>`coalesce(${originOf('pentest')}, lower(pentest.target_url))`;

/** One origin of a target. */
export interface Site {
  targetId: string;
  site: string;
}

/** A run whose report the account may read. */
export interface ReadableRun extends Site {
  id: string;
  targetUrl: string;
  depth: Depth;
  status: PentestStatus;
  startedAt: Date | null;
  completedAt: Date | null;
  createdAt: Date;
}

/**
 * Resolves to the latest runs whose reports are released, on targets assigned to the reader, oldest first. All reads of
 * flaws use it, so that a report in review has no effect anywhere.
 */
export async function selectReadableRuns(
  queries: Queries,
  { accountId, userId, role }: FlawReader,
  only?: Site,
): Promise<ReadableRun[]> {
  const rows = await queries
    .selectFrom('pentest')
    .select(['id', 'target_id as targetId', 'target_url as targetUrl', 'depth', 'status'])
    .select([
      'started_at as startedAt',
      'completed_at as completedAt',
      'created_at as createdAt',
      siteColumn.as('site'),
    ])
    .where('account_id', '=', accountId)
    .where(isReportReadable)
    .$if(!isAssignedToAll(role), (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('target_assignment')
            .select('target_assignment.target_id')
            .whereRef('target_assignment.account_id', '=', 'pentest.account_id')
            .whereRef('target_assignment.target_id', '=', 'pentest.target_id')
            .where('target_assignment.user_id', '=', userId),
        ),
      ),
    )
    .$if(only !== undefined, (query) =>
      query.where('target_id', '=', only?.targetId ?? '').where(siteColumn, '=', only?.site ?? ''),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_RUNS)
    .execute();
  return rows.reverse();
}

/** A finding as one run reports it. */
export interface Sighting {
  id: string;
  runId: string;
  title: string;
  severity: Severity;
  confidence: Confidence;
  affectedUrl: string | null;
  method: string | null;
  parameter: string | null;
  cvssScore: string | null;
  cweId: string | null;
  checkId: string | null;
  fingerprint: string;
  formerFingerprints: string[];
  placeFingerprints: string[] | null;
  /** Whether a reviewer excluded it from the report; excluded findings are never shown. */
  isExcluded: boolean;
}

/** Resolves to the findings of the runs, worst first in each run. If there are too many, those of the latest runs. */
export function selectSightingsOf(queries: Queries, runs: readonly string[]): Promise<Sighting[]> {
  return queries
    .selectFrom('pentest_finding')
    .select(['id', 'pentest_id as runId', 'title', 'severity', 'confidence', 'affected_url as affectedUrl', 'method'])
    .select(['parameter', 'cvss_score as cvssScore', sql<string | null>`'CWE-' || cwe_id`.as('cweId')])
    .select(['check_id as checkId', 'fingerprint', 'former_fingerprints as formerFingerprints'])
    .select([placeFingerprints.as('placeFingerprints'), sql<boolean>`excluded_at is not null`.as('isExcluded')])
    .where((is) => is('pentest_id', '=', is.fn.any(is.val(runs))))
    .orderBy(sql`array_position(${[...runs]}::text[], pentest_id) desc`)
    .orderBy(worstFirst)
    .orderBy(sql`cvss_score desc nulls last`)
    .orderBy('id')
    .limit(MOST_SIGHTINGS)
    .execute();
}

/** Resolves to the tests that must be repeated to find these findings again. */
export async function selectCoverageKeys(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CoverageKey[]>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .selectFrom('pentest_finding')
    .select(['id', 'coverage_keys as coverageKeys'])
    .where((is) => is('id', '=', is.fn.any(is.val(ids))))
    .execute();
  return new Map(rows.map(({ id, coverageKeys }) => [id, coverageKeys]));
}

/** Resolves to the tests of earlier runs that each run repeated; null for runs of earlier releases. */
export async function selectRetested(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string> | null>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .selectFrom('pentest')
    .select(['id', 'retested'])
    .where((is) => is('id', '=', is.fn.any(is.val(ids))))
    .execute();
  return new Map(rows.map(({ id, retested }) => [id, retested && new Set(retested)]));
}
