import assert from 'node:assert/strict';
import { allCredits, countIn, factsOf, type LedgerModel, usedInModel } from './model.ts';
import type { ListContext } from './steps.ts';

const places = ['available', 'held', 'spent', 'expired', 'removed', 'moved'] as const;

/** A single query for all rows of an account, because it runs after every command. */
const stateStatement = `
  select
    (select json_agg(json_build_object('id', id, 'parent', parent_id, 'source', source, 'amount', amount,
      'expiresAt', (extract(epoch from expires_at) * 1000)::bigint, 'places',
      json_build_array(available, held, spent, expired, removed, moved)) order by id)
    from credit_grant where account_id = $1) as grants,
    (select json_object_agg(run_id, json_build_object('state', state,
      'testing', json_build_object('reserved', testing_reserved, 'charged', testing_charged),
      'review', json_build_object('reserved', review_reserved, 'charged', review_charged)))
    from credit_hold where account_id = $1) as holds`;

interface GrantRow {
  id: number;
  parent: number | null;
  [field: string]: unknown;
}

export async function assertSameState(context: ListContext): Promise<void> {
  const { database, accountId, model } = context;
  const { rows } = await database.pool.query<{ grants: GrantRow[] | null; holds: object | null }>({
    name: 'ledger-state',
    text: stateStatement,
    values: [accountId],
  });
  const grants = rows[0]?.grants ?? [];
  const numbers = new Map(grants.map((grant, number) => [grant.id, number]));
  const found = grants.map(({ id: _, parent, ...grant }) => ({
    ...grant,
    parent: parent === null ? null : numbers.get(parent),
  }));
  const expected = model.grants.map((grant) => ({
    source: grant.source,
    amount: grant.credits.length,
    expiresAt: grant.expiresAt?.getTime() ?? null,
    places: places.map((place) => countIn(grant.credits, place)),
    parent: grant.parent?.number ?? null,
  }));
  assert.deepEqual(found, expected, 'grants');
  const runs = [...model.runs].map(([runId, run]) => [runId, factsOf(run)]);
  assert.deepEqual(rows[0]?.holds ?? {}, Object.fromEntries(runs), 'holds');
}

export async function assertSameBalance(context: ListContext): Promise<void> {
  const { ledger, database, accountId, apiKeyIds, userIds, model } = context;
  const [apiKeyId = '', userId = ''] = [apiKeyIds[0], userIds[0]];
  const balance = await ledger.credits
    .createBalanceReader(database)
    .read({ accountId, apiKeyId, userId, isCapped: true });
  const live = model.grants.filter((grant) => grant.expiresAt === null || grant.expiresAt > model.now);
  const available = live.flatMap((grant) => grant.credits.filter((credit) => credit.place === 'available'));
  const plan = available.filter((credit) => credit.grant.source === 'plan').length;
  const expiries = available.flatMap((credit) => credit.grant.expiresAt?.getTime() ?? []);
  const next = Math.min(...expiries);
  assert.deepEqual(balance, {
    available: available.length,
    held: countIn(allCredits(model), 'held'),
    plan,
    purchased: available.length - plan,
    nextExpiry:
      expiries.length === 0
        ? null
        : { credits: expiries.filter((expiry) => expiry === next).length, at: new Date(next).toISOString() },
    keyBudget: capIn(model, apiKeyId, usedInModel(model, { apiKeyId })),
    memberAllowance: capIn(model, userId, usedInModel(model, { userId })),
  });
}

function capIn(model: LedgerModel, id: string, used: number) {
  const limit = model.caps.get(id) ?? null;
  if (limit === null) return null;
  const resetsAt = new Date(Date.UTC(model.now.getUTCFullYear(), model.now.getUTCMonth() + 1)).toISOString();
  return { limit, used, remaining: limit > used ? limit - used : 0, resetsAt };
}

/** Compares the whole paged history, and the credits that every run shows. */
export async function assertSameHistory(context: ListContext): Promise<void> {
  const { ledger, database, accountId, model } = context;
  const found = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page = await ledger.credits.readUsage(database.queries, { accountId, limit: 40, offset });
    found.push(...page.usage);
    offset = page.nextOffset;
  }
  const history = found.map(({ id: _, description: __, ...record }) => record);
  assert.deepEqual(history.toReversed(), model.operations, 'history');
  const shown = await ledger.credits.readCreditsOfRuns(database.queries, [...model.runs.keys()]);
  for (const [runId, run] of model.runs) {
    const { state, testing, review } = factsOf(run);
    const reserved = testing.reserved + review.reserved;
    const isSettled = testing.charged !== null && review.charged !== null;
    const charged = isSettled ? Number(testing.charged) + Number(review.charged) : null;
    const returned = charged === null ? null : reserved - charged;
    assert.deepEqual(shown.get(runId), { state, reserved, charged, returned });
  }
}

export async function assertNoViolation({ ledger, database, accountId }: ListContext): Promise<void> {
  assert.deepEqual(await ledger.credits.checkInvariants(database.queries, accountId), [], 'invariants');
}
