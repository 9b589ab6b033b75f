import type { ManagedTarget, OwnershipCheck as ShownCheck, Target } from '@sortie/contract';
import { findImports } from '../credentials/credentials.ts';
import type { Queries } from '../db/database.ts';
import type { PermittedCaller } from '../http/route.ts';
import { listLatestRuns } from '../pentests/pentests.ts';
import {
  listAssignedTargets,
  listLatestChecks,
  listTargets,
  type OwnershipCheck,
  proofOf,
  readRulesOfAccount,
  readTarget,
} from '../targets/targets.ts';
import { toIso } from './context.ts';

export async function readManagedTargets(
  queries: Queries,
  caller: PermittedCaller,
  page: { limit: number; offset: number },
): Promise<{ targets: ManagedTarget[]; nextOffset: number | null }> {
  const { targets, nextOffset } = await listAssignedTargets(queries, caller, page);
  return { targets: await complete(queries, caller.accountId, targets), nextOffset };
}

export async function readManagedTarget(
  queries: Queries,
  caller: PermittedCaller,
  verificationId: string,
): Promise<ManagedTarget> {
  const [target] = await complete(queries, caller.accountId, [await readTarget(queries, caller, verificationId)]);
  if (!target) throw new Error(`the target of ${verificationId} is gone`);
  return target;
}

/** Adds what only the dashboard shows, in the same number of statements for any number of targets. */
async function complete(queries: Queries, accountId: string, targets: readonly Target[]): Promise<ManagedTarget[]> {
  const ids = targets.map(({ verificationId }) => verificationId);
  const verifications = new Map((await listTargets(queries, accountId)).map((each) => [each.id, each]));
  const targetIds = [...new Set(ids.flatMap((id) => verifications.get(id)?.targetId ?? []))];
  const [checks, runs, imports, contacts] = await Promise.all([
    listLatestChecks(queries, ids),
    listLatestRuns(queries, accountId, targetIds),
    findImports(queries, ids),
    readRulesOfAccount(queries, accountId),
  ]);
  return targets.flatMap((target) => {
    const verification = verifications.get(target.verificationId);
    if (!verification) return [];
    const { targetId, assignedTo } = verification;
    const check = checks.get(target.verificationId);
    const run = runs.get(targetId);
    const imported = imports.get(target.verificationId);
    return {
      ...target,
      targetId,
      assignedTo,
      emergencyContact: contacts.get(targetId)?.emergencyContact ?? null,
      proof: proofOf(verification),
      lastCheck: check ? toCheck(check) : null,
      lastRun: run ? { ...run, createdAt: run.createdAt.toISOString() } : null,
      imported: imported
        ? {
            name: imported.name,
            kind: imported.kind,
            bytes: imported.bytes,
            importedAt: imported.importedAt.toISOString(),
            deletionDueAt: imported.deletionDueAt.toISOString(),
          }
        : null,
    };
  });
}

export function toCheck({
  id,
  outcome,
  takenBy,
  message,
  lookUps,
  askedAt,
  checkedAt,
  pentestId,
}: OwnershipCheck): ShownCheck {
  const isTaken = takenBy === null ? 'WAITING' : 'CHECKING';
  return {
    id,
    state: checkedAt === null ? isTaken : 'DONE',
    outcome,
    message,
    lookUps: lookUps ?? [],
    askedAt: askedAt.toISOString(),
    checkedAt: toIso(checkedAt),
    isOfRun: pentestId !== null,
  };
}
