import { sql } from 'kysely';
import { lockAccount } from '../accounts/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { requireVerification } from './find-verification.ts';

/** What a target's owner asks of everybody who tests it. */
export interface Rules {
  /** Neither these paths nor anything below them is asked for. */
  excludedPaths: string[];
  /** Null: the engine's own pace. */
  requestsPerSecond: number | null;
  /** When it may be tested, as times of day (UTC); null: always. It crosses midnight when it ends before it begins. */
  window: { from: string; to: string } | null;
  /** Whom to call when a test does harm. */
  emergencyContact: string | null;
}

/** The rules of the row of `target` in the statement around it: one writing for whoever reads and whoever records them. */
export const rulesOfTarget = sql<Rules>`jsonb_build_object(
  'excludedPaths', target.excluded_paths,
  'requestsPerSecond', target.requests_per_second,
  'window', case when target.window_from is not null then jsonb_build_object(
    'from', to_char(target.window_from, 'HH24:MI'), 'to', to_char(target.window_to, 'HH24:MI')) end,
  'emergencyContact', target.emergency_contact)`;

/**
 * For how many milliseconds from now on the service clock the target may be tested, of the row of `target` in the
 * statement around it: 0 when it may not, null when it always may.
 */
export const windowLeftMs = sql<number | null>`window_left_ms(target.window_from, target.window_to, service_now())`;
export const isWindowOpen = sql<boolean>`coalesce(${windowLeftMs} > 0, true)`;

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

const NO_RULES: Rules = { excludedPaths: [], requestsPerSecond: null, window: null, emergencyContact: null };

interface RulesChange {
  verificationId: string;
  /** What is left out stays as it is, or as it is without rules when everything is cleared first. */
  changes: Partial<Rules>;
  clear: boolean;
  actor: string;
}

/** Runs under way go on by the rules they began with. */
export async function setRules(tx: Transaction, { verificationId, changes, clear, actor }: RulesChange): Promise<void> {
  const { accountId, targetId } = await requireVerification(tx, verificationId);
  // A start holds this lock while it records the rules it was consented to with.
  await lockAccount(tx, accountId);
  const { rules: old } = await readRules(tx, targetId);
  const rules = { ...(clear ? NO_RULES : old), ...changes };
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
      // Whoever is named there may want to be forgotten.
      hasEmergencyContact: emergencyContact !== null,
    },
  });
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
