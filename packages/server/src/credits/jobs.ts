import { sql } from 'kysely';
import type { Catalogue } from '../billing/catalogue.ts';
import { type Database, inTransaction, type Queries, serviceNow, type Transaction } from '../db/database.ts';
import type { RecurringJob } from '../jobs/recurring.ts';
import { describeError, type Log } from '../platform/log.ts';
import { checkInvariants } from './check-invariants.ts';
import { grantPlanCredits, planOperationKeys } from './grant.ts';
import { openLedger } from './ledger.ts';

/** Returns the jobs that expire credits, grant those of plans and check the invariants. */
export function createCreditJobs(database: Database, catalogue: Catalogue, log: Log): RecurringJob[] {
  const expire = 'expire-credits';
  const grant = 'grant-plan-credits';
  const check = 'check-credits';
  const reporter = (job: string): ReportFailure => {
    return (accountId, error) =>
      log.error('recurring job failed for an account, continuing with the others', {
        job,
        accountId,
        ...describeError(error),
      });
  };
  let hasNamedUnknownPlans = false;
  return [
    { name: expire, everySeconds: 5, run: () => expireDueGrants(database, reporter(expire)) },
    {
      name: grant,
      everySeconds: 5,
      async run() {
        if (!hasNamedUnknownPlans) await nameUnknownPlans(database.queries, catalogue, log);
        hasNamedUnknownPlans = true;
        await grantDuePlanCredits(database, catalogue, reporter(grant));
      },
    },
    { name: check, everySeconds: 24 * 60 * 60, run: () => reportViolations(database, log, reporter(check)) },
  ];
}

type ReportFailure = (accountId: string, error: unknown) => void;

/** Limits the log output if everything is wrong; further violations are only counted. */
const MAX_LOGGED_VIOLATIONS = 20;

async function reportViolations(database: Database, log: Log, report: ReportFailure): Promise<void> {
  let count = 0;
  try {
    await forEachAccount({
      findAfter: (after) => accountsAfter(database.queries, after),
      async work(accountId) {
        for (const violation of await checkInvariants(database.queries, accountId)) {
          count++;
          if (count <= MAX_LOGGED_VIOLATIONS) log.error('credit invariant violated', { accountId, violation });
        }
      },
      report,
    });
  } finally {
    if (count > MAX_LOGGED_VIOLATIONS) log.error('more credit invariants are violated than were logged', { count });
  }
}

/**
 * Logs accounts whose plan the catalogue does not contain, because otherwise only their missing credits would show it.
 */
async function nameUnknownPlans(queries: Queries, catalogue: Catalogue, log: Log): Promise<void> {
  const unknown = await queries
    .selectFrom('account')
    .select(({ fn }) => ['plan', fn.countAll<number>().as('count')])
    .where(sql<boolean>`plan <> all(${Object.keys(catalogue.plans)}::text[])`)
    .groupBy('plan')
    .orderBy('plan')
    .execute();
  for (const { plan, count } of unknown) {
    const text = `accounts have the plan ${JSON.stringify(plan)}, which the catalogue does not know: they get no plan credits`;
    log.warn(text, { job: 'grant-plan-credits', count });
  }
}

/**
 * Books expired grants. The balance does not depend on it, but the history of inactive accounts would be incomplete.
 */
export async function expireDueGrants(database: Database, report?: ReportFailure): Promise<void> {
  await forEachAccount({
    findAfter: (after) => accountsWithDueGrants(database.queries, after),
    // Opening a ledger books the due expiries.
    work: (accountId) => withoutLongWait(database, (tx) => openLedger(tx, accountId)),
    report,
  });
}

/** Grants every account the plan credits that it has not been granted this month. */
export async function grantDuePlanCredits(
  database: Database,
  catalogue: Catalogue,
  report?: ReportFailure,
): Promise<void> {
  await forEachAccount({
    findAfter: (after) => accountsWithDuePlanCredits(database.queries, catalogue, after),
    work: (accountId) => withoutLongWait(database, (tx) => grantPlanCredits(tx, accountId, catalogue)),
    report,
  });
}

/** Skips a locked account after a short wait; the next sweep retries it. */
function withoutLongWait<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTransaction(database, async (tx) => {
    await sql`set local lock_timeout = '2s'`.execute(tx);
    return work(tx);
  });
}

interface Sweep {
  findAfter(accountId: string): Promise<string[]>;
  work(accountId: string): Promise<unknown>;
  report?: ReportFailure | undefined;
}

/**
 * Runs one transaction per account, so that no request waits for the whole sweep and a node that dies leaves the rest
 * due. A failing account does not block the others, but the sweep fails in the end.
 */
async function forEachAccount({ findAfter, work, report }: Sweep): Promise<void> {
  let firstFailure: unknown;
  let failed = 0;
  let found = await findAfter('');
  while (found.length > 0) {
    for (const accountId of found) {
      try {
        await work(accountId);
      } catch (error) {
        report?.(accountId, error);
        if (failed === 0) firstFailure = error;
        failed++;
      }
    }
    found = await findAfter(found.at(-1) ?? '');
  }
  if (failed > 0) throw new Error(`the job failed for ${failed} accounts`, { cause: firstFailure });
}

/** Page size of one query; the sweep continues until nothing is left. */
const ACCOUNTS_AT_ONCE = 100;

async function accountsAfter(queries: Queries, after: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('account')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(ACCOUNTS_AT_ONCE)
    .execute();
  return rows.map((row) => row.id);
}

async function accountsWithDueGrants(queries: Queries, after: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('credit_grant')
    .select('account_id')
    .distinct()
    // A literal, since a generic plan could not use the partial index on expiring grants.
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
