import type { EgressEntry, ScanFinding, ScanResult } from '@sortie/engine';
import { sql } from 'kysely';
import { type Database, inTransaction, type Queries, type Transaction } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { recordEgress } from '../egress/egress.ts';
import { type Lease, type LeaseTerms, leaseEnd } from '../jobs/leases.ts';
import { newId } from '../new-id.ts';

export interface TakenScan extends Lease {
  url: string;
  attempts: number;
  script: Schema['scan']['script'];
}

/** The oldest scan that waits, or whose worker is gone. Two workers never get the same. */
export async function takeScan(queries: Queries, { owner, leaseMs }: LeaseTerms): Promise<TakenScan | undefined> {
  const { rows } = await sql<TakenScan>`
    update scan set
      lease_owner = ${owner}, lease_epoch = lease_epoch + 1, lease_until = ${leaseEnd(leaseMs)},
      attempts = attempts + 1,
      script = coalesce(script, (select script from engine_script where account_id in (scan.account_id, '*')
        order by account_id = '*' limit 1))
    where id = (
      select id from scan
      where completed_at is null and handed_over_at is not null
        and (lease_until is null or lease_until <= clock_timestamp())
      order by handed_over_at, id limit 1 for update skip locked)
    returning id, lease_epoch as epoch, url, attempts, script`.execute(queries);
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
