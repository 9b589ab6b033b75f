import type { Role } from '@sortie/contract';
import { mostSpecific } from '@sortie/engine';
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { isAssignedToAll } from './assign.ts';
import { equalsOrLiesUnder } from './coverage.ts';
import type { Verification } from './find-verification.ts';
import { type Rules, rulesOfTarget, windowLeftMs } from './rules.ts';

/** A target with its rules and the names that its verifications cover. */
interface CoveredTarget {
  id: string;
  origin: string;
  host: string;
  apiRuns: boolean;
  coveredNames: string[];
  rules: Rules;
  windowLeftMs: number | null;
}

/**
 * Resolves to the account's targets that a verification covers: its own first, then the oldest. Includes targets whose
 * own verification is incomplete, because their rules are restrictions that the account has set.
 */
async function selectCovered(queries: Queries, verification: Verification): Promise<CoveredTarget[]> {
  const { accountId, targetId, coveredName, coveredOrigin } = verification;
  const targets = await queries
    .selectFrom('target')
    .select(['id', 'origin', 'host', 'api_runs as apiRuns'])
    .select([rulesOfTarget.as('rules'), windowLeftMs.as('windowLeftMs')])
    .select(
      sql<string[]>`array(select covered_name from verification
        where verification.target_id = target.id and covered_name is not null and removed_at is null)`.as(
        'coveredNames',
      ),
    )
    .where('account_id', '=', accountId)
    .where(sql<boolean>`exists (select from verification
      where verification.target_id = target.id and removed_at is null)`)
    .orderBy(sql`target.id = ${targetId}`, 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return targets.filter(({ origin, host }) =>
    coveredName === null ? origin === coveredOrigin : equalsOrLiesUnder(host, coveredName),
  );
}

/** Returns the target whose rules apply to a URL that the verification covers. */
export async function findGoverningTarget(
  queries: Queries,
  verification: Verification,
  url: string,
): Promise<{ targetId: string; origin: string; apiRuns: boolean }> {
  const { targetId, origin, apiRuns, coveredName } = verification;
  // An account has at most one target per origin.
  const found =
    coveredName === null ? undefined : mostSpecific(await selectCovered(queries, verification), new URL(url));
  return found ? { targetId: found.id, origin: found.origin, apiRuns: found.apiRuns } : { targetId, origin, apiRuns };
}

interface RunOfMember {
  pentestId: string;
  /** The run's own target, which was authorized at the start. */
  targetId: string;
}

interface Tester {
  /** The target to test, for which the member was authorized. */
  targetId: string;
  userId: string;
  /** Null if the person is no longer a member. */
  role: Role | null;
  isApiRun: boolean;
}

/**
 * Resolves to the account's targets that a run's verification covers, the run's own first, each with the reason if the
 * run may not test it.
 */
export async function listTargetsOfRun(
  queries: Queries,
  verification: Verification,
  { pentestId, targetId }: RunOfMember,
) {
  return listTargetsFor(queries, verification, { targetId, ...(await selectStarter(queries, pentestId)) });
}

/** Resolves to the same for a member who tests without a run. */
export async function listTargetsFor(
  queries: Queries,
  verification: Verification,
  { targetId: own, userId, role, isApiRun }: Tester,
) {
  const assigned = await queries
    .selectFrom('target_assignment')
    .select('target_id as targetId')
    .where('account_id', '=', verification.accountId)
    .where('user_id', '=', userId)
    .execute();
  const targets = await selectCovered(queries, verification);
  const isOwn = ({ id }: CoveredTarget) => id === own;
  const isAssigned = ({ id }: CoveredTarget) =>
    role !== null && (isAssignedToAll(role) || assigned.some(({ targetId }) => targetId === id));
  const whyForbidden = (target: CoveredTarget) => {
    if (isOwn(target)) return null;
    if (!isAssigned(target)) return NOT_ASSIGNED;
    return isApiRun && !target.apiRuns ? API_RUNS_OFF : null;
  };
  return targets
    .map((target) => ({ ...target, isOwn: isOwn(target), forbidden: whyForbidden(target) }))
    .toSorted((one, other) => Number(other.isOwn) - Number(one.isOwn));
}

const NOT_ASSIGNED = 'it is not assigned to the member who started the run.';
const API_RUNS_OFF = 'API runs are off for this target.';

function selectStarter(queries: Queries, pentestId: string) {
  return queries
    .selectFrom('pentest')
    .leftJoin('member', (join) =>
      join.onRef('member.account_id', '=', 'pentest.account_id').onRef('member.user_id', '=', 'pentest.user_id'),
    )
    .select(['pentest.user_id as userId', sql<Role | null>`member.role`.as('role')])
    .select(sql<boolean>`pentest.api_key_id is not null`.as('isApiRun'))
    .where('pentest.id', '=', pentestId)
    .executeTakeFirstOrThrow();
}
