import assert from 'node:assert/strict';
import type { Pentest } from '@sortie/contract';
import { chargeFor, isFree, levels, MINIMUM_CHARGE, type Outcome, type Used } from './model.ts';
import type { Context } from './step.ts';

interface StatementRow extends Used {
  id: string;
  outcome: Outcome;
  started: boolean;
  minimum: number;
  testingReserved: number;
  testingCharged: number;
  reviewReserved: number;
  reviewCharged: number | null;
  maxMinutes: number;
  maxRequests: number;
  modelBudget: number;
  /** The sum of the finished steps. */
  steps: Used;
}

const statement = `
  select pentest_id as id, outcome, started, minimum, testing_reserved as "testingReserved",
    testing_charged as "testingCharged", review_reserved as "reviewReserved", review_charged as "reviewCharged",
    engine_ms as "engineMs", max_minutes as "maxMinutes", requests, max_requests as "maxRequests",
    model_microdollars as "modelMicrodollars", model_budget_microdollars as "modelBudget",
    (select json_build_object('engineMs', coalesce(sum(engine_ms), 0), 'requests', coalesce(sum(requests), 0),
      'modelMicrodollars', coalesce(sum(model_microdollars), 0))
    from pentest_step where pentest_step.pentest_id = charge_statement.pentest_id) as steps
  from charge_statement where pentest_id = any($1)`;

/** Asserts that exactly the runs that are over have a statement, and that it yields the credits that the run shows. */
export async function assertStatements({ database }: Context, pentests: readonly Pentest[]): Promise<void> {
  const values = [pentests.map(({ id }) => id)];
  const { rows } = await database.pool.query<StatementRow>({ name: 'any-order-statements', text: statement, values });
  for (const pentest of pentests) {
    const row = rows.find(({ id }) => id === pentest.id);
    assert.equal(row !== undefined, pentest.completedAt !== null, `whether ${pentest.id} has a statement`);
    if (row) assertStatement(row, pentest);
  }
}

function assertStatement(row: StatementRow, { status, depth, startedAt, credits }: Pentest): void {
  const { outcome, started, minimum, engineMs, requests, modelMicrodollars } = row;
  const used = { engineMs, requests, modelMicrodollars };
  const level = levels[depth as keyof typeof levels];
  const allowed = {
    testing: row.testingReserved,
    review: row.reviewReserved,
    engineMs: row.maxMinutes * 60_000,
    requests: row.maxRequests,
    modelMicrodollars: row.modelBudget,
  };
  assert.deepEqual([outcome, started, allowed], [status, startedAt !== null, level], 'what the statement is about');
  assert.deepEqual(used, row.steps, 'what the finished steps used');
  assert.equal(minimum, outcome === 'COMPLETED' ? MINIMUM_CHARGE : 0, 'minimum');
  const isReturned = isFree({ status: outcome, isStarted: started });
  assert.equal(row.testingCharged, isReturned ? 0 : chargeFor(used, allowed, outcome), 'charge for testing');
  const total = row.reviewCharged === null ? null : row.testingCharged + row.reviewCharged;
  const reserved = row.testingReserved + row.reviewReserved;
  assert.deepEqual(
    { reserved: credits.reserved, charged: credits.charged, returned: credits.returned },
    { reserved, charged: total, returned: total === null ? null : reserved - total },
    'credits of the run',
  );
}
