import type { EgressEntry, ScanFinding, ScanResult } from '@sortie/engine';
import { sql } from 'kysely';
import { type Database, inTransaction, type Queries, type Transaction } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { recordEgress } from '../egress/egress.ts';
import type { Lease, LeaseTerms } from '../jobs/leases.ts';
import { newId } from '../new-id.ts';

export interface TakenScan extends Lease {
  url: string;
  attempts: number;
  script: Schema['scan']['script'];
  /** Then nobody may look: it only has to be ended. */
  isOptedOut: boolean;
}

/** Of one host, whoever starts them: nobody asked its owner. */
const HOST_LIMITS = { atOnce: 2, anHour: 30 } as const;

/**
 * The oldest scan that waits, or whose worker is gone, and whose host has not enough already: those of other hosts go
 * before it. Two workers never get the same.
 */
export async function takeScan(queries: Queries, { owner, leaseMs }: LeaseTerms): Promise<TakenScan | undefined> {
  const { atOnce, anHour } = HOST_LIMITS;
  const { rows } = await sql<TakenScan>`
    select id, epoch, url, attempts, script, is_opted_out as "isOptedOut"
    from take_scan(${owner}, make_interval(secs => ${leaseMs / 1000}), ${atOnce}, ${anHour})`.execute(queries);
  return rows[0];
}

/** What came of a scan, and where it went for it. */
export interface Scanned {
  result: ScanResult;
  egress: readonly EgressEntry[];
}

/** False when the scan is no longer the worker's: then nothing changes. */
export function completeScan(database: Database, { id, epoch }: Lease, { result, egress }: Scanned): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('scan')
      .set({ status: 'COMPLETED', completed_at: sql<Date>`service_now()`, lease_until: null, ...toColumns(result) })
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
  const { score, grade, checks } = result;
  return {
    score,
    grade,
    checks_passed: checks.passed,
    checks_failed: checks.failed,
    checks_not_run: checks.notRun,
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
