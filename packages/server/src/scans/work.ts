import type { EgressEntry, ScanFinding, ScanResult } from '@sortie/engine';
import { sql } from 'kysely';
import { type Database, inTransaction, type Queries, type Transaction } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { recordEgress } from '../egress/egress.ts';
import type { Lease, LeaseTerms } from '../jobs/leases.ts';
import { newId } from '../platform/new-id.ts';

export interface TakenScan extends Lease {
  url: string;
  attempts: number;
  script: Schema['scan']['script'];
  /** Whether the owner of the host has opted out: the scan must then end without contacting it. */
  isOptedOut: boolean;
}

/** Limits per host, across all accounts, since scans need no consent of the host's owner. */
const HOST_LIMITS = { atOnce: 2, anHour: 30 } as const;

/** Limits per address and port, across all names that resolve to it. */
interface PlaceLimits {
  atOnce: number;
  anHour: number;
}

/**
 * Takes the oldest scan that waits or whose lease has expired, and whose host and addresses are below their limits. Two
 * workers never get the same scan.
 */
export async function takeScan(
  queries: Queries,
  { owner, leaseMs }: LeaseTerms,
  places: PlaceLimits,
): Promise<TakenScan | undefined> {
  const { atOnce, anHour } = HOST_LIMITS;
  const { rows } = await sql<TakenScan>`
    select id, epoch, url, attempts, script, is_opted_out as "isOptedOut"
    from take_scan(${owner}, make_interval(secs => ${leaseMs / 1000}), ${atOnce}, ${anHour},
      ${places.atOnce}, ${places.anHour})`.execute(queries);
  return rows[0];
}

/**
 * Resolves to whether a scan may contact these addresses. Otherwise it returns to the queue until they are free, as if
 * it had not been taken.
 */
export async function admitScan(
  queries: Queries,
  { id, epoch }: Lease,
  places: readonly string[],
  { atOnce, anHour }: PlaceLimits,
): Promise<boolean> {
  const { rows } = await sql<{ isAdmitted: boolean }>`
    select admit_scan(${id}, ${epoch}, ${[...places]}::text[], ${atOnce}, ${anHour}) as "isAdmitted"`.execute(queries);
  return rows[0]?.isAdmitted ?? false;
}

/** The result of a scan, and its egress. */
export interface Scanned {
  result: ScanResult;
  egress: readonly EgressEntry[];
  /** Addresses that it connected to, for the hourly limit. */
  places?: readonly string[];
}

/**
 * Stores the result of a scan, its findings and its egress. Resolves to false and changes nothing if the worker has
 * lost the lease.
 */
export function completeScan(
  database: Database,
  { id, epoch }: Lease,
  { result, egress, places = [] }: Scanned,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('scan')
      .set({
        status: 'COMPLETED',
        completed_at: sql<Date>`service_now()`,
        lease_until: null,
        places: sql<string[]>`array(select distinct unnest(places || ${[...places]}::text[]))`,
        ...toColumns(result),
      })
      .where('id', '=', id)
      .where('lease_epoch', '=', epoch)
      .where('completed_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    if ('findings' in result) await insertFindings(tx, id, result.findings);
    await recordEgress(tx, id, egress);
    return true;
  });
}

function toColumns(result: ScanResult) {
  if ('failure' in result) return { failure_code: result.failure.code, failure_message: result.failure.message };
  const { score, grade, checks, notRun = [] } = result;
  return {
    score,
    grade,
    checks_passed: checks.passed,
    checks_failed: checks.failed,
    checks_not_applicable: checks.notApplicable ?? null,
    checks_not_run: checks.notRun,
    not_run_reasons: JSON.stringify(notRun),
  };
}

async function insertFindings(tx: Transaction, scanId: string, findings: readonly ScanFinding[]): Promise<void> {
  if (findings.length === 0) return;
  const rows = findings.map((finding) => ({
    id: newId('fnd'),
    scan_id: scanId,
    check_id: finding.checkId,
    title: finding.title,
    description: finding.description,
    severity: finding.severity,
    confidence: finding.confidence,
    category: finding.category,
    affected_url: finding.affectedUrl,
    evidence: finding.evidence,
    remediation: finding.remediation,
    cwe_id: finding.cwe,
    score_impact: finding.scoreImpact,
    references: finding.references,
  }));
  await tx.insertInto('scan_finding').values(rows).execute();
}
