import type { ListTargetsResponse, Role, Target } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { nextOffset } from '../db/paging.ts';
import { AppError } from '../errors/app-error.ts';
import { isAssigned, isAssignedToAll } from './assign.ts';
import { rulesOfTarget } from './rules.ts';

interface Reader {
  accountId: string;
  userId: string;
  role: Role;
}

type TargetRow = Awaited<ReturnType<ReturnType<typeof fromTargets>['execute']>>[number];

function fromTargets(queries: Queries, accountId: string) {
  return queries
    .selectFrom('verification')
    .innerJoin('target', 'target.id', 'verification.target_id')
    .select(['verification.id', 'verification.method', 'target.id as targetId', 'target.origin'])
    .select(['verification.covered_name as coveredName', 'verification.covered_origin as coveredOrigin'])
    .select(['verification.verified_at as verifiedAt', 'verification.expires_at as expiresAt'])
    .select(['target.api_runs as apiRuns', 'verification.created_at as createdAt', rulesOfTarget.as('rules')])
    .select(sql<boolean>`coalesce(verification.expires_at > service_now(), false)`.as('isCurrent'))
    .where('verification.account_id', '=', accountId)
    .where('verification.removed_at', 'is', null);
}

function toTarget({ rules, ...row }: TargetRow): Target {
  const { excludedPaths, requestsPerSecond, window } = rules;
  return {
    verificationId: row.id,
    origin: row.origin,
    method: row.method,
    coveredName: row.coveredName,
    coveredOrigin: row.coveredOrigin,
    verified: row.verifiedAt !== null && row.isCurrent,
    verifiedAt: row.verifiedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    apiRuns: row.apiRuns,
    rules: { excludedPaths, requestsPerSecond, window },
    createdAt: row.createdAt.toISOString(),
  };
}

/** Resolves to one page of the account's targets assigned to the caller, oldest first. */
export async function listAssignedTargets(
  queries: Queries,
  { accountId, userId, role }: Reader,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListTargetsResponse> {
  const rows = await fromTargets(queries, accountId)
    .$if(!isAssignedToAll(role), (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('target_assignment')
            .select('target_assignment.target_id')
            .whereRef('target_assignment.account_id', '=', 'verification.account_id')
            .whereRef('target_assignment.target_id', '=', 'verification.target_id')
            .where('target_assignment.user_id', '=', userId),
        ),
      ),
    )
    .orderBy('verification.created_at')
    .orderBy('verification.id')
    .limit(limit + 1)
    .offset(offset)
    .execute();
  return {
    targets: rows.slice(0, limit).map(toTarget),
    nextOffset: nextOffset({ limit, offset }, rows.length > limit),
  };
}

/**
 * Resolves to one target. Throws NOT_FOUND if the account has no such verification, and FORBIDDEN if the target is not
 * assigned to the caller.
 */
export async function readTarget(queries: Queries, caller: Reader, verificationId: string): Promise<Target> {
  const row = await fromTargets(queries, caller.accountId)
    .where('verification.id', '=', verificationId)
    .executeTakeFirst();
  if (!row) throw new AppError('NOT_FOUND');
  if (await isAssigned(queries, { ...caller, targetId: row.targetId })) return toTarget(row);
  throw new AppError('FORBIDDEN', {
    message: 'This target is not assigned to you in the organization. Ask an owner to assign it (/to/targets).',
  });
}
