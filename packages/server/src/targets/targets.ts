import { lockAccount } from '../accounts/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { newId } from '../platform/new-id.ts';
import { type Coverage, type Origin, readOrigin } from './coverage.ts';
import { requireVerification, type Verification } from './find-verification.ts';
import { coverageBy } from './proof.ts';
import { renew } from './renew.ts';
import {
  insertTarget,
  insertVerification,
  type Method,
  selectTarget,
  selectVerificationOf,
  selectVerifications,
  updateApiRuns,
} from './store.ts';

export {
  assignTarget,
  countAssignments,
  isAssigned,
  isAssignedToAll,
  isHostAssigned,
  listAssignedHosts,
  unassignTarget,
} from './assign.ts';
export { insertConsent, readConsent } from './consent.ts';
export { readHost, readOrigin } from './coverage.ts';
export {
  findVerification,
  obstacleTo,
  proofTokensFor,
  requireVerification,
  type Verification,
} from './find-verification.ts';
export { findGoverningTarget, listTargetsFor, listTargetsOfRun } from './governing-target.ts';
export {
  askForCheck,
  completeCheck,
  listChecks,
  listLatestChecks,
  type OwnershipCheck,
  readCheck,
  recordRunCheck,
  type TakenCheck,
  takeOwnershipCheck,
} from './ownership.ts';
export { describeProof, proofOf, SANDBOX_NAME } from './proof.ts';
export { listAssignedTargets, readTarget } from './read-targets.ts';
export { removeVerification } from './remove.ts';
export { isWindowOpen, type Rules, readRules, readRulesOfTargets, setRules } from './rules.ts';

interface TargetOfAccount {
  accountId: string;
  /** Only its origin is used. */
  url: string;
  actor: string;
}

interface NewTarget extends TargetOfAccount {
  method?: Method | undefined;
  /** For method dns: the name that the verification covers, if it differs from the host. */
  name?: string | undefined;
}

/**
 * Adds a target with a verification by this method, incomplete until it is proved or attested by an operator. Throws if
 * the target already has one by this method.
 */
export async function addTarget(tx: Transaction, target: NewTarget): Promise<Verification> {
  const { accountId, url, actor, method = 'attestation', name } = target;
  const read = requireOrigin(url);
  const coverage = coverageBy(method, read, name);
  await lockAccount(tx, accountId);
  const existing = await selectVerificationOf(tx, accountId, read.origin, method);
  if (existing) {
    throw new AppError('VALIDATION_ERROR', {
      field: 'url',
      message: `The account has the target ${read.origin} with the method ${method} already: use ${existing.id}.`,
    });
  }
  return requireVerification(tx, await addVerification(tx, accountId, { ...read, ...coverage, method, actor }));
}

/** Attests a target for an operator. Renews an existing attestation, so that ids stored in pipelines stay valid. */
export async function attestTarget(tx: Transaction, { accountId, url, actor }: TargetOfAccount): Promise<Verification> {
  const read = requireOrigin(url);
  const method = 'attestation';
  await lockAccount(tx, accountId);
  const existing = await selectVerificationOf(tx, accountId, read.origin, method);
  const coverage = coverageBy(method, read, undefined);
  const id = existing?.id ?? (await addVerification(tx, accountId, { ...read, ...coverage, method, actor }));
  const expiresAt = await renew(tx, id);
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

/** Resolves to one entry per verification, with the members to whom its target is assigned, oldest target first. */
export function listTargets(
  queries: Queries,
  accountId: string,
  ids?: readonly string[],
): Promise<(Verification & { assignedTo: string[] })[]> {
  return selectVerifications(queries, accountId, ids);
}

/** Turns runs through the API on or off for a target, under the lock of its account. */
export async function setApiRuns(
  tx: Transaction,
  { verificationId, apiRuns, actor }: { verificationId: string; apiRuns: boolean; actor: string },
): Promise<Verification> {
  const { accountId, targetId } = await requireVerification(tx, verificationId);
  // A start holds this lock while it checks the switch, so it either sees the change or precedes it.
  await lockAccount(tx, accountId);
  if (await updateApiRuns(tx, targetId, apiRuns)) {
    await recordAudit(tx, { actor, action: 'target.api-runs-set', accountId, subject: targetId, details: { apiRuns } });
  }
  return requireVerification(tx, verificationId);
}

/** Adds a verification, and its target if that is new. Resolves to its id. The caller must hold the account's lock. */
async function addVerification(
  tx: Transaction,
  accountId: string,
  { origin, host, method, actor, ...coverage }: Origin & Coverage & { method: Method; actor: string },
): Promise<string> {
  const known = await selectTarget(tx, accountId, origin);
  const targetId = known?.id ?? newId('tgt');
  const id = newId('ver');
  if (!known) await insertTarget(tx, { id: targetId, accountId, origin, host });
  await insertVerification(tx, { id, accountId, targetId, method, ...coverage });
  await recordAudit(tx, {
    actor,
    action: known ? 'target.verification-added' : 'target.added',
    accountId,
    subject: targetId,
    details: { verificationId: id, origin, method },
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
