import { lockAccount } from '../accounts/accounts.ts';
import { AppError } from '../app-error.ts';
import { recordAudit } from '../audit/audit.ts';
import { type Queries, serviceNow, type Transaction } from '../db/database.ts';
import { newId } from '../new-id.ts';
import { type Origin, readOrigin } from './coverage.ts';
import { requireVerification, type Verification } from './find-verification.ts';
import {
  insertAttestation,
  insertTarget,
  selectAttestation,
  selectVerifications,
  updateApiRuns,
  updateVerified,
} from './store.ts';

export { assignTarget, isAssigned, isAssignedToAll, isHostAssigned, unassignTarget } from './assign.ts';
export { readOrigin } from './coverage.ts';
export { findVerification, obstacleTo, type Verification } from './find-verification.ts';

const VALIDITY_MS = 90 * 86_400_000;

interface TargetOfAccount {
  accountId: string;
  /** Only its origin counts. */
  url: string;
  actor: string;
}

/** Every target comes with an attestation, incomplete until an operator vouches for it. */
export async function addTarget(tx: Transaction, { accountId, url, actor }: TargetOfAccount): Promise<Verification> {
  const read = requireOrigin(url);
  await lockAccount(tx, accountId);
  const existing = await selectAttestation(tx, accountId, read.origin);
  if (existing) {
    throw new AppError('VALIDATION_ERROR', {
      field: 'url',
      message: `The account has the target ${read.origin} already: use ${existing.id}.`,
    });
  }
  return requireVerification(tx, await createTarget(tx, accountId, { ...read, actor }));
}

/** Attesting again renews what is there: an id that is written down in a pipeline stays good. */
export async function attestTarget(tx: Transaction, { accountId, url, actor }: TargetOfAccount): Promise<Verification> {
  const read = requireOrigin(url);
  await lockAccount(tx, accountId);
  const existing = await selectAttestation(tx, accountId, read.origin);
  const id = existing?.id ?? (await createTarget(tx, accountId, { ...read, actor }));
  const verifiedAt = await serviceNow(tx);
  const expiresAt = new Date(verifiedAt.getTime() + VALIDITY_MS);
  await updateVerified(tx, { id, verifiedAt, expiresAt });
  const verification = await requireVerification(tx, id);
  await recordAudit(tx, {
    actor,
    action: 'target.attested',
    accountId,
    subject: verification.targetId,
    details: { verificationId: id, origin: read.origin, expiresAt: expiresAt.toISOString() },
  });
  return verification;
}

/** One for each verification, with the members its target is assigned to; oldest target first. */
export function listTargets(queries: Queries, accountId: string): Promise<(Verification & { assignedTo: string[] })[]> {
  return selectVerifications(queries, accountId);
}

export async function setApiRuns(
  tx: Transaction,
  { verificationId, apiRuns, actor }: { verificationId: string; apiRuns: boolean; actor: string },
): Promise<Verification> {
  const { accountId, targetId } = await requireVerification(tx, verificationId);
  // A start holds this lock while it checks the switch: it either sees the change or was there before it.
  await lockAccount(tx, accountId);
  if (await updateApiRuns(tx, targetId, apiRuns)) {
    await recordAudit(tx, { actor, action: 'target.api-runs-set', accountId, subject: targetId, details: { apiRuns } });
  }
  return requireVerification(tx, verificationId);
}

/** Answers the id of its attestation. The caller holds the account's lock. */
async function createTarget(
  tx: Transaction,
  accountId: string,
  { origin, host, actor }: Origin & { actor: string },
): Promise<string> {
  const targetId = newId('tgt');
  const id = newId('ver');
  await insertTarget(tx, { id: targetId, accountId, origin, host });
  await insertAttestation(tx, { id, accountId, targetId, origin });
  await recordAudit(tx, {
    actor,
    action: 'target.added',
    accountId,
    subject: targetId,
    details: { verificationId: id, origin },
  });
  return id;
}

function requireOrigin(url: string): Origin {
  const read = readOrigin(url);
  if (read) return read;
  throw new AppError('VALIDATION_ERROR', {
    field: 'url',
    message: 'url must be an http or https URL with the name or address of a host, without user info',
  });
}
