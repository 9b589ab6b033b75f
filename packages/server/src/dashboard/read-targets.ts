import type { ManagedTarget, OwnershipCheck as ShownCheck, Target } from '@sortie/contract';
import { findImports } from '../credentials/credentials.ts';
import { type Database, inSnapshot, type Queries } from '../db/database.ts';
import type { PermittedCaller } from '../http/route.ts';
import { listLatestRuns } from '../pentests/pentests.ts';
import {
  listAssignedTargets,
  listLatestChecks,
  listTargets,
  type OwnershipCheck,
  proofOf,
  readRulesOfTargets,
  readTarget,
} from '../targets/targets.ts';
import { toIso } from './context.ts';

/** Where the data of target pages comes from. */
export interface TargetSources {
  database: Database;
  /** Origin of the demo target of this node. */
  demoOrigin: string | undefined;
}

/** Resolves to one page of the targets that the person may see, all read from the same snapshot. */
export async function readManagedTargets(
  sources: TargetSources,
  caller: PermittedCaller,
  page: { limit: number; offset: number },
): Promise<{ targets: ManagedTarget[]; nextOffset: number | null }> {
  return inSnapshot(sources.database, async (queries) => {
    const { targets, nextOffset } = await listAssignedTargets(queries, caller, page);
    return { targets: await complete({ ...sources, queries }, caller.accountId, targets), nextOffset };
  });
}

/** Resolves to one target with the details of its page. Throws if the person may not see it. */
export async function readManagedTarget(
  sources: TargetSources,
  caller: PermittedCaller,
  verificationId: string,
): Promise<ManagedTarget> {
  // One snapshot, because pages stop polling once a check is done: its outcome and the target's state must agree.
  const [target] = await inSnapshot(sources.database, async (queries) =>
    complete({ ...sources, queries }, caller.accountId, [await readTarget(queries, caller, verificationId)]),
  );
  if (!target) throw new Error(`the target of ${verificationId} is gone`);
  return target;
}

/** Adds the fields that only the dashboard shows, with the same number of statements for any number of targets. */
async function complete(
  { queries, demoOrigin }: TargetSources & { queries: Queries },
  accountId: string,
  targets: readonly Target[],
): Promise<ManagedTarget[]> {
  const ids = targets.map(({ verificationId }) => verificationId);
  const verifications = new Map((await listTargets(queries, accountId, ids)).map((each) => [each.id, each]));
  const targetIds = [...new Set(ids.flatMap((id) => verifications.get(id)?.targetId ?? []))];
  const checks = await listLatestChecks(queries, ids);
  const runs = await listLatestRuns(queries, accountId, targetIds);
  const imports = await findImports(queries, ids);
  const contacts = await readRulesOfTargets(queries, accountId, targetIds);
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
      canPublish: canPublish(verification, demoOrigin),
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

/** Returns whether the demo target can publish the proof: it serves files and meta tags, but has no DNS name. */
export const canPublish = ({ method, origin }: { method: string; origin: string }, demoOrigin: string | undefined) =>
  origin === demoOrigin && (method === 'file' || method === 'meta');

/**
 * Returns the check with its state: WAITING until a worker takes it, CHECKING until the worker has the outcome, then
 * DONE.
 */
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
