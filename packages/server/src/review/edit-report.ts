import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type ReviewedFinding, selectFinding, updateExcluded, updateWording, type Wording } from './finding-store.ts';
import { openTaken, type ReviewChange, recordReview, type TakenReview } from './open-review.ts';

type FindingChange = ReviewChange & { findingId: string };

type Edit = { [Name in keyof Wording]?: Wording[Name] | undefined };

/** Changes the texts of a finding. Values equal to the current ones do not count as a change. */
export async function editFinding(
  tx: Transaction,
  { edit, ...change }: FindingChange & { edit: Edit },
): Promise<ReviewedFinding> {
  const review = await openTaken(tx, change);
  const finding = await requireFinding(tx, review, change.findingId);
  const names = Object.keys(edit) as (keyof Wording)[];
  const fields = names.filter((name) => edit[name] !== undefined && edit[name] !== finding[name]);
  if (fields.length === 0) return finding;
  await updateWording(tx, finding.id, Object.fromEntries(fields.map((name) => [name, edit[name]])));
  const details = { run: review.id, reviewer: review.reviewerId, fields };
  await recordReview(tx, review, {
    actor: change.actor,
    action: 'review.finding-edited',
    subject: finding.id,
    details,
  });
  return requireFinding(tx, review, finding.id);
}

/**
 * Excludes a finding from the report or includes it again. An excluded finding stays with the run. Does nothing if it
 * is already in this state.
 */
export async function setExcluded(
  tx: Transaction,
  { isExcluded, ...change }: FindingChange & { isExcluded: boolean },
): Promise<ReviewedFinding> {
  const review = await openTaken(tx, change);
  const finding = await requireFinding(tx, review, change.findingId);
  if ((finding.excludedAt !== null) === isExcluded) return finding;
  await updateExcluded(tx, finding.id, isExcluded);
  const action = isExcluded ? 'review.finding-excluded' : 'review.finding-included';
  const details = { run: review.id, reviewer: review.reviewerId };
  await recordReview(tx, review, { actor: change.actor, action, subject: finding.id, details });
  return requireFinding(tx, review, finding.id);
}

async function requireFinding(tx: Transaction, { id: runId }: TakenReview, id: string): Promise<ReviewedFinding> {
  const finding = await selectFinding(tx, runId, id);
  if (finding) return finding;
  throw new AppError('NOT_FOUND', {
    field: 'finding',
    message: `The run ${runId} has no finding ${JSON.stringify(id)}. See: npx sortie admin review show ${runId}`,
  });
}
