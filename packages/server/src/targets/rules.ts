import { MOST_EXCLUDED_PATHS } from '@sortie/contract';
import { sql } from 'kysely';
import { lockAccount } from '../accounts/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { requireVerification } from './find-verification.ts';

/** Rules of engagement that a target's owner sets for all tests. */
export interface Rules {
  /** Excludes these paths and everything below them from requests. */
  excludedPaths: string[];
  /** Null means the engine's default rate. */
  requestsPerSecond: number | null;
  /**
   * Times of day (UTC) between which tests may run; null means always. Crosses midnight if it ends before it begins.
   */
  window: { from: string; to: string } | null;
  /** Whom to contact if a test causes harm. */
  emergencyContact: string | null;
}

/** The rules of the row of `target` in the enclosing statement, in the same form for reading and for recording. */
export const rulesOfTarget = sql<Rules>`jsonb_build_object(
  'excludedPaths', target.excluded_paths,
  'requestsPerSecond', target.requests_per_second,
  'window', case when target.window_from is not null then jsonb_build_object(
    'from', to_char(target.window_from, 'HH24:MI'), 'to', to_char(target.window_to, 'HH24:MI')) end,
  'emergencyContact', target.emergency_contact)`;

/**
 * Milliseconds on the service clock for which the target may still be tested, for the row of `target` in the enclosing
 * statement: 0 if testing is not allowed now, null if it always is.
 */
export const windowLeftMs = sql<number | null>`window_left_ms(target.window_from, target.window_to, service_now())`;
export const isWindowOpen = sql<boolean>`coalesce(${windowLeftMs} > 0, true)`;

/** Resolves to the rules of engagement of a target, and to what is left of its testing window. */
export async function readRules(
  queries: Queries,
  targetId: string,
): Promise<{ rules: Rules; windowLeftMs: number | null }> {
  return queries
    .selectFrom('target')
    .select([rulesOfTarget.as('rules'), windowLeftMs.as('windowLeftMs')])
    .where('id', '=', targetId)
    .executeTakeFirstOrThrow();
}

/** Resolves to the rules of the account's targets, by target id. */
export async function readRulesOfTargets(
  queries: Queries,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, Rules>> {
  const rows = await queries
    .selectFrom('target')
    .select(['id', rulesOfTarget.as('rules')])
    .where('account_id', '=', accountId)
    .where((is) => is('id', '=', is.fn.any(is.val(ids))))
    .execute();
  return new Map(rows.map(({ id, rules }) => [id, rules]));
}

const NO_RULES: Rules = { excludedPaths: [], requestsPerSecond: null, window: null, emergencyContact: null };

interface RulesChange {
  verificationId: string;
  /** Omitted rules keep their value, or their default if `clear` is set. */
  changes: Partial<Rules>;
  /** Added to the excluded paths. */
  alsoExcluded?: readonly string[];
  clear: boolean;
  actor: string;
}

/** Changes rules of engagement. Attempts in progress keep the rules with which they began. */
export async function setRules(tx: Transaction, change: RulesChange): Promise<void> {
  const { verificationId, actor } = change;
  const { accountId, targetId } = await requireVerification(tx, verificationId);
  // A start holds this lock while it records the rules that its starter consented to.
  await lockAccount(tx, accountId);
  const { rules: old } = await readRules(tx, targetId);
  const rules = changed(old, change);
  if (JSON.stringify(toColumns(rules)) === JSON.stringify(toColumns(old))) return;
  await tx.updateTable('target').set(toColumns(rules)).where('id', '=', targetId).execute();
  const { excludedPaths, requestsPerSecond, window, emergencyContact } = rules;
  await recordAudit(tx, {
    actor,
    action: 'target.rules-set',
    accountId,
    subject: targetId,
    details: {
      excludedPaths,
      requestsPerSecond,
      window: window && `${window.from}-${window.to}`,
      // The contact is personal data and must stay erasable, so the audit log records only that there is one.
      hasEmergencyContact: emergencyContact !== null,
    },
  });
}

function changed(old: Rules, { changes, alsoExcluded = [], clear }: RulesChange): Rules {
  const rules = { ...(clear ? NO_RULES : old), ...changes };
  if (alsoExcluded.length === 0) return rules;
  const excludedPaths = [...new Set([...rules.excludedPaths, ...alsoExcluded])];
  if (excludedPaths.length > MOST_EXCLUDED_PATHS) {
    const message = `The target would have ${excludedPaths.length} excluded paths; at most ${MOST_EXCLUDED_PATHS} are possible. Replace the list with --exclude.`;
    throw new AppError('VALIDATION_ERROR', { field: 'addExclude', message });
  }
  return { ...rules, excludedPaths };
}

function toColumns({ excludedPaths, requestsPerSecond, window, emergencyContact }: Rules) {
  return {
    excluded_paths: excludedPaths,
    requests_per_second: requestsPerSecond,
    window_from: window?.from ?? null,
    window_to: window?.to ?? null,
    emergency_contact: emergencyContact,
  };
}
