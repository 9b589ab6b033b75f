import type { Confidence, FindingPlace, ParameterLocation, Severity } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';
import { findingsOf } from '../pentests/pentests.ts';

/** The fields that a reviewer may edit, named as in the API. */
export interface Wording {
  title: string;
  description: string | null;
  severity: Severity;
  confidence: Confidence;
  remediation: string | null;
  /** With one decimal. */
  cvssScore: string | null;
  /** Such as CWE-89. */
  cweId: string | null;
}

export interface ReviewedFinding extends Wording {
  id: string;
  affectedUrl: string | null;
  method: string | null;
  parameter: string | null;
  location: ParameterLocation | null;
  checkId: string | null;
  cvssVector: string | null;
  cvss4Vector: string | null;
  impact: string | null;
  stepsToReproduce: string[];
  references: string[];
  fingerprint: string;
  formerFingerprints: string[];
  places: FindingPlace[];
  editedAt: Date | null;
  excludedAt: Date | null;
}

const reviewed = (queries: Queries, pentestId: string) =>
  findingsOf(queries, pentestId).select(['edited_at as editedAt', 'excluded_at as excludedAt']);

/** Resolves to the findings of a run in report order, excluded ones included. */
export function selectReviewedFindings(queries: Queries, pentestId: string): Promise<ReviewedFinding[]> {
  return reviewed(queries, pentestId).execute();
}

/** Resolves to a finding of the run, even if it is excluded; undefined if there is none. */
export function selectFinding(queries: Queries, pentestId: string, id: string): Promise<ReviewedFinding | undefined> {
  return reviewed(queries, pentestId).where('id', '=', id).executeTakeFirst();
}

/**
 * Changes only the given fields. A score set by the reviewer removes the check's vectors, which yield another score.
 */
export async function updateWording(
  tx: Transaction,
  id: string,
  { title, description, severity, confidence, remediation, cvssScore, cweId }: Partial<Wording>,
): Promise<void> {
  await tx
    .updateTable('pentest_finding')
    .set({ title, description, severity, confidence, remediation, cvss_score: cvssScore })
    .set({ cwe_id: cweId == null ? cweId : Number(cweId.replace('CWE-', '')) })
    // The vectors of the check would contradict a score that a reviewer sets.
    .set(cvssScore === undefined ? {} : { cvss_vector: null, cvss4_vector: null })
    .set({ edited_at: sql<Date>`service_now()` })
    .where('id', '=', id)
    .execute();
}

/** Excludes a finding from the report, or includes it again. */
export async function updateExcluded(tx: Transaction, id: string, isExcluded: boolean): Promise<void> {
  await tx
    .updateTable('pentest_finding')
    .set({ excluded_at: isExcluded ? sql<Date>`service_now()` : null })
    .where('id', '=', id)
    .execute();
}
