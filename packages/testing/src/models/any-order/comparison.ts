import assert from 'node:assert/strict';
import type { Pentest } from '@sortie/contract';
import { balanceOf, creditsByExpiry, type ModelGrant, reservedOf } from './credits.ts';
import { isFree, isOver, type Lease, type Model, type ModelRun } from './model.ts';
import type { Context } from './step.ts';
import { ownerOf } from './steps.ts';

/** Everything that is compared between product and model. */
export interface View {
  runs: Record<string, unknown>;
  balance: unknown;
  credits: string[];
}

/** Internal state that is not visible through the API but decides what happens next. */
interface HiddenRow {
  id: string;
  epoch: number;
  isKept: boolean;
  isHandedOver: boolean;
  isOpenStart: boolean;
  steps: string[];
  used: object;
  report: object | null;
}

const hiddenStatement = `
  select id, lease_epoch as epoch, coalesce(lease_until > clock_timestamp(), false) as "isKept",
    handed_over_at is not null as "isHandedOver",
    exists (select from idempotency_claim as claim
      where claim.account_id = pentest.account_id and run_id = id and claim.state = 'CREATED') as "isOpenStart",
    array(select name from pentest_step where pentest_id = id order by name collate "C") as steps,
    json_build_object('engineMs', engine_ms, 'requests', requests, 'modelMicrodollars', model_microdollars) as used,
    case when report.pentest_id is not null
      then json_build_object('state', report.state, 'reviewer', reviewer_id) end as report
  from pentest left join report_review as report on report.pentest_id = id
  where account_id = $1`;

const grantsStatement = `
  select source, extract(epoch from expires_at)::float8 * 1000 as "expiresAt", available, held
  from credit_grant where account_id = $1 and (available > 0 or held > 0)`;

const MOST_RUNS = 100;

export async function viewProduct(context: Context, now = context.model.now): Promise<View & { pentests: Pentest[] }> {
  const { product, database, account, leases } = context;
  const { pool, queries } = database;
  const page = { limit: MOST_RUNS, offset: 0 };
  const values = [account.accountId];
  const [{ pentests }, balance, hidden, grants] = await Promise.all([
    product.reading.listPentests(queries, ownerOf(account), page),
    product.credits.readAccountBalance(queries, account.accountId),
    pool.query<HiddenRow>({ name: 'any-order-hidden', text: hiddenStatement, values }),
    pool.query<ModelGrant>({ name: 'any-order-grants', text: grantsStatement, values }),
  ]);
  const runs = pentests.map((pentest) => {
    const row = hidden.rows.find(({ id }) => id === pentest.id);
    assert.ok(row, `${pentest.id} is a run of the account`);
    return [pentest.id, { ...shownBy(pentest), ...hiddenBy(row, pentest, leases) }];
  });
  const { keyBudget, memberAllowance, ...amounts } = balance;
  const credits = creditsByExpiry(grants.rows, now).toSorted();
  return { pentests, runs: Object.fromEntries(runs), balance: amounts, credits };
}

function shownBy({ depth, status, startedAt, completedAt, reportReleased, credits }: Pentest) {
  return { depth, status, isStarted: startedAt !== null, isOver: completedAt !== null, reportReleased, credits };
}

/** Ending a run raises its epoch, which invalidates all leases. */
function hiddenBy({ id: _, epoch, ...row }: HiddenRow, { id, status }: Pentest, leases: readonly Lease[]) {
  if (!isOver({ status: status as ModelRun['status'] })) return { ...row, epoch };
  const given = leases.filter((lease) => lease.id === id).map((lease) => lease.epoch);
  return { ...row, epoch: epoch > Math.max(0, ...given) ? 'nobody has it' : epoch };
}

export function viewModel({ runs, grants, now }: Model): View {
  const views = Object.entries(runs).map(([id, run]) => [id, viewRun(run)]);
  return {
    runs: Object.fromEntries(views),
    balance: balanceOf(grants, now),
    credits: creditsByExpiry(grants, now).toSorted(),
  };
}

function viewRun(run: ModelRun) {
  const { depth, status, isStarted, isKept, steps, used, report } = run;
  return {
    depth,
    status,
    isStarted,
    isOver: isOver(run),
    reportReleased: isReleased(run),
    credits: creditsOf(run),
    isKept,
    steps: steps.toSorted(),
    isHandedOver: run.handedOverAt !== null,
    isOpenStart: run.givenUpAt !== null,
    used,
    report,
    epoch: isOver(run) ? 'nobody has it' : run.epoch,
  };
}

/** Levels with expert review release a report after sign-off; runs that ended early release their findings. */
function isReleased({ status, review, report }: ModelRun): boolean {
  if (reservedOf(review) === 0) return true;
  return status === 'FAILED' || status === 'CANCELLED' || report?.state === 'SIGNED_OFF';
}

/** RESERVED until every share is settled. */
function creditsOf(run: Pick<ModelRun, 'status' | 'isStarted' | 'testing' | 'review'>): Pentest['credits'] {
  const shares = [run.testing, run.review].filter((share) => reservedOf(share) > 0);
  const reserved = shares.reduce((total, share) => total + reservedOf(share), 0);
  if (shares.some(({ charged }) => charged === null))
    return { state: 'RESERVED', reserved, charged: null, returned: null };
  const charged = shares.reduce((total, share) => total + Number(share.charged), 0);
  return { state: isFree(run) ? 'RETURNED' : 'CHARGED', reserved, charged, returned: reserved - charged };
}
