import { dashboardEndpoints, type FirstStep, firstSteps, type GettingStarted } from '@sortie/contract';
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { type DashboardRoute, type PermittedCaller, route } from '../http/route.ts';
import { isAssignedToAll } from '../targets/targets.ts';
import type { DashboardContext } from './context.ts';

const { getGettingStarted, skipGettingStarted } = dashboardEndpoints;

export function homeRoutes({ database: { queries } }: DashboardContext): DashboardRoute[] {
  return [
    route(getGettingStarted, ({ caller }) => readSteps(queries, caller)),
    route(skipGettingStarted, async ({ caller, body: { isSkipped } }) => {
      await queries
        .updateTable('member')
        .set({ getting_started_skipped_at: isSkipped ? sql<Date>`service_now()` : null })
        .where('account_id', '=', caller.accountId)
        .where('user_id', '=', caller.userId)
        .execute();
      return readSteps(queries, caller);
    }),
  ];
}

type Row = Record<FirstStep, boolean> & { isSkipped: boolean };

/**
 * For members and viewers, counts only their own activity and the targets assigned to them, so that a ticked step
 * reveals nothing about others.
 */
async function readSteps(queries: Queries, { accountId, userId, role }: PermittedCaller): Promise<GettingStarted> {
  const seesAll = isAssignedToAll(role);
  const ofCaller = (column: string) => sql`(${seesAll} or ${sql.ref(column)} = ${userId})`;
  const isVisible = sql`(${seesAll} or exists (select from target_assignment as assigned
    where assigned.account_id = target.account_id and assigned.target_id = target.id and assigned.user_id = ${userId}))`;
  const { rows } = await sql<Row>`
    select exists (select from scan where account_id = ${accountId} and ${ofCaller('scan.user_id')}) as "SCAN",
      exists (select from target where account_id = ${accountId} and ${isVisible}) as "TARGET",
      exists (select from verification join target on target.id = verification.target_id
               where verification.account_id = ${accountId} and verification.verified_at is not null
                 and ${isVisible}) as "VERIFICATION",
      exists (select from pentest where account_id = ${accountId} and ${ofCaller('pentest.user_id')}) as "RUN",
      exists (select from api_key where account_id = ${accountId} and ${ofCaller('api_key.created_by')}) as "KEY",
      exists (select from api_key where account_id = ${accountId} and last_used_at is not null
                and ${ofCaller('api_key.created_by')}) as "PIPELINE",
      (select getting_started_skipped_at is not null from member
        where account_id = ${accountId} and user_id = ${userId}) as "isSkipped"`.execute(queries);
  const [row] = rows;
  if (!row) throw new Error('the first steps were not read');
  return { done: firstSteps.filter((step) => row[step]), isSkipped: row.isSkipped ?? false };
}
