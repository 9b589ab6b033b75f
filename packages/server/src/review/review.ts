import type { Capsule } from '@sortie/contract';
import type { Queries } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { readEvidence, selectReviewedCapsule } from '../pentests/pentests.ts';
import type { SigningKey } from '../secrets/signing-key.ts';
import { selectReviewedFindings } from './finding-store.ts';
import { requireReview } from './open-review.ts';
import { type Review, type ReviewState, selectContents, selectReview, selectReviews } from './store.ts';

export { rejectReport, signOff } from './decide.ts';
export { editFinding, setExcluded } from './edit-report.ts';
export { addNote } from './note.ts';
export { revealCredentials } from './reveal.ts';
export { reopenReport, takeReport } from './take-report.ts';

/** A report waits, is taken by a reviewer, and is then signed off permanently, or rejected until it is reopened. */
export const reviewStates = ['WAITING', 'TAKEN', 'REJECTED', 'SIGNED_OFF'] as const satisfies ReviewState[];

/** Resolves to the reviews, oldest first. Without `state`, all that are not signed off. */
export function listReviews(
  queries: Queries,
  { state, limit }: { state: ReviewState | undefined; limit: number },
): Promise<Review[]> {
  const states = state === undefined ? reviewStates.filter((each) => each !== 'SIGNED_OFF') : [state];
  return selectReviews(queries, { states, limit });
}

/** Resolves to the review of a run; undefined if it has none. */
export function findReview(queries: Queries, id: string): Promise<Review | undefined> {
  return selectReview(queries, id);
}

/** Resolves to the whole report for a reviewer, excluded findings and private notes included. */
export async function readReport(queries: Queries, id: string) {
  const review = await requireReview(queries, id);
  return { ...review, ...(await selectContents(queries, id)), findings: await selectReviewedFindings(queries, id) };
}

/**
 * Resolves to the signed proof of a finding, excluded ones included; null if it has none, or if retention has deleted
 * it.
 */
export async function readReportCapsule(
  queries: Queries,
  { runId, findingId }: { runId: string; findingId: string },
  signingKey: SigningKey,
): Promise<Capsule | null> {
  await requireReview(queries, runId);
  const capsule = await selectReviewedCapsule(queries, { pentestId: runId, findingId }, signingKey);
  if (capsule !== undefined) return capsule;
  const message = `The report of ${runId} has no finding ${findingId}. List them with: npx sortie admin review show ${runId}`;
  throw new AppError('NOT_FOUND', { message });
}

/** Resolves to the evidence of a report by finding id; empty after the retention period. */
export async function readReportEvidence(queries: Queries, id: string) {
  await requireReview(queries, id);
  const evidence = await readEvidence(queries, id);
  const findings = await selectReviewedFindings(queries, id);
  return findings.map((finding) => ({
    id: finding.id,
    title: finding.title,
    exchanges: evidence
      .filter(({ fingerprint }) => fingerprint === finding.fingerprint)
      .map(({ label, request, response }) => ({ label, request, response })),
  }));
}
