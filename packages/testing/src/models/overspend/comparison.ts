import assert from 'node:assert/strict';
import { assertNoViolation, assertSameBalance, assertSameHistory, assertSameState } from '../ledger/comparison.ts';
import type { ListContext } from '../ledger/steps.ts';
import { levels } from './model.ts';
import type { OverspendContext } from './step.ts';

function ledgerContext({ product, database, clock, account, model }: OverspendContext): ListContext {
  return { ...account, ledger: product, database, clock, model: model.ledger, steps: [] };
}

const stateStatement = `
  select
    (select json_object_agg(id, json_build_object('status', status, 'depth', depth,
      'isHandedOver', handed_over_at is not null)) from pentest where account_id = $1) as runs,
    (select json_object_agg(idempotency_key, json_build_object('state', state,
      'runId', case when state <> 'CLAIMED' then run_id end))
    from idempotency_claim where account_id = $1) as claims`;

/** Compares runs, claims, grants, holds and the balance with the model. */
export async function assertSame(context: OverspendContext): Promise<void> {
  const { database, account, model } = context;
  const { rows } = await database.pool.query<{ runs: object | null; claims: object | null }>({
    name: 'overspend-state',
    text: stateStatement,
    values: [account.accountId],
  });
  const runs = [...model.runs].map(([id, { status, depth, isHandedOver }]) => [id, { status, depth, isHandedOver }]);
  assert.deepEqual(rows[0]?.runs ?? {}, Object.fromEntries(runs), 'runs');
  const claims = [...model.claims].map(([key, { state, runId }]) => {
    return [key, { state, runId: state === 'CLAIMED' ? null : runId }];
  });
  assert.deepEqual(rows[0]?.claims ?? {}, Object.fromEntries(claims), 'claims');
  await assertSameState(ledgerContext(context));
  await assertSameBalance(ledgerContext(context));
}

export const assertSameOperations = (context: OverspendContext) => assertSameHistory(ledgerContext(context));

const priceList = Object.entries(levels).map(([depth, { testing, review }]) => `('${depth}', ${testing + review})`);
const NOT_OVER = "status not in ('COMPLETED', 'FAILED', 'CANCELLED')";

/** Invariants that hold in every state, independent of the model. */
const violationsStatement = `
  with run as (select pentest.*, price from pentest join (values ${priceList.join()}) as level (depth, price) using (depth)
    where account_id = $1)
  select format('%s credits are held for runs that cost %s', held, price) as violation
  from (select coalesce(sum(held), 0) as held from credit_grant where account_id = $1) as credit,
    (select coalesce(sum(price), 0) as price from run where ${NOT_OVER}) as running
  where held <> price
  union all
  select format('%s waits for nobody: it is not handed over, and no claim leads to it', id) from run
  where ${NOT_OVER} and handed_over_at is null and not exists (
    select from idempotency_claim where account_id = $1 and run_id = run.id and state = 'CREATED')
  union all
  select format('%s is %s, but its credits are %s', id, status, coalesce(state, 'nowhere'))
  from run left join credit_hold on run_id = id
  where state is distinct from case when ${NOT_OVER} then 'RESERVED' else 'RETURNED' end
  union all
  select format('credits are held for %s, which does not exist', run_id) from credit_hold
  where account_id = $1 and run_id not in (select id from run)
  union all
  select format('key %s belongs to a run that does not exist', idempotency_key) from idempotency_claim
  where account_id = $1 and state <> 'CLAIMED' and run_id not in (select id from run)
  union all
  select format('%s was queued after its end', id) from run where handed_over_at > completed_at`;

export async function assertNothingViolated(context: OverspendContext): Promise<void> {
  const { database, account } = context;
  const { rows } = await database.pool.query<{ violation: string }>({
    name: 'overspend-violations',
    text: violationsStatement,
    values: [account.accountId],
  });
  assert.deepEqual(
    rows.map(({ violation }) => violation),
    [],
    'invariants of starts',
  );
  await assertNoViolation(ledgerContext(context));
}
