import { sql } from 'kysely';
import type { Catalogue } from '../catalogue.ts';
import { type Database, inTransaction, type Queries, serviceNow } from '../db/database.ts';
import type { RecurringJob } from '../jobs/recurring.ts';
import type { Log } from '../log.ts';
import { checkInvariants } from './check-invariants.ts';
import { grantPlanCredits, planOperationKeys } from './grant.ts';
import { openLedger } from './ledger.ts';

export function createCreditJobs(database: Database, catalogue: Catalogue, log: Log): RecurringJob[] {
  return [
    { name: 'expire-credits', everySeconds: 5, run: () => expireDueGrants(database) },
    { name: 'grant-plan-credits', everySeconds: 5, run: () => grantDuePlanCredits(database, catalogue) },
    { name: 'check-credits', everySeconds: 24 * 60 * 60, run: () => reportViolations(database, log) },
  ];
}

async function reportViolations(database: Database, log: Log): Promise<void> {
  for (const violation of await checkInvariants(database.queries))
    log.error('the credits do not add up', { violation });
}

/** Bounds one look for due accounts, not the work: the look is repeated until it finds nothing. */
const ACCOUNTS_AT_ONCE = 100;

/** Books what has expired. The balance never waits for this: it is for the history of accounts that do nothing. */
export async function expireDueGrants(database: Database): Promise<void> {
  await forEachAccount(
    (after) => accountsWithDueGrants(database.queries, after),
    // Opening a ledger books what is due.
    (accountId) => inTransaction(database, (tx) => openLedger(tx, accountId)),
  );
}

/** Gives every account the credits of its plan that it has not had this month. */
export async function grantDuePlanCredits(database: Database, catalogue: Catalogue): Promise<void> {
  await forEachAccount(
    (after) => accountsWithDuePlanCredits(database.queries, catalogue, after),
    (accountId) => inTransaction(database, (tx) => grantPlanCredits(tx, accountId, catalogue)),
  );
}

/** A transaction per account: nobody waits for the whole sweep, and a node that dies leaves the rest due. */
async function forEachAccount(
  findAfter: (accountId: string) => Promise<string[]>,
  work: (accountId: string) => Promise<unknown>,
): Promise<void> {
  let found = await findAfter('');
  while (found.length > 0) {
    for (const accountId of found) await work(accountId);
    found = await findAfter(found.at(-1) ?? '');
  }
}

async function accountsWithDueGrants(queries: Queries, after: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('credit_grant')
    .select('account_id')
    .distinct()
    // A literal, because a plan made for any value could not use the index of what can expire.
    .where((is) => is('available', '>', is.lit(0)))
    .where('expires_at', '<=', await serviceNow(queries))
    .where('account_id', '>', after)
    .orderBy('account_id')
    .limit(ACCOUNTS_AT_ONCE)
    .execute();
  return rows.map((row) => row.account_id);
}

async function accountsWithDuePlanCredits(queries: Queries, catalogue: Catalogue, after: string): Promise<string[]> {
  const plans = Object.entries(catalogue.plans).filter(([, plan]) => plan.monthlyCredits > 0);
  const keys = planOperationKeys(await serviceNow(queries));
  const { rows } = await sql<{ id: string }>`
    select account.id from account
    join unnest(${plans.map(([name]) => name)}::text[], ${plans.map(([, plan]) => plan.monthlyCredits)}::bigint[])
      as plan (name, monthly_credits) on plan.name = account.plan
    where account.id > ${after} and plan.monthly_credits > (
      select coalesce(sum(credits), 0) from credit_operation
      where account_id = account.id and operation_key >= ${keys.first} and operation_key < ${keys.end})
    order by account.id limit ${ACCOUNTS_AT_ONCE}`.execute(queries);
  return rows.map((row) => row.id);
}
