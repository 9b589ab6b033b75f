import type { Database } from '../../../../server/src/db/database.ts';
import { newId, randomBase62 } from '../../../../server/src/platform/new-id.ts';
import type { CreditAccount } from '../../world/credit-account.ts';
import { createOverspendModel, later, type ModelTarget, type OverspendModel } from './model.ts';

/** An organization with an owner and a member, two keys each, and three targets. */
export interface StartAccount extends CreditAccount {
  targets: { id: string; verificationId: string; url: string }[];
}

const DAY_MS = 24 * 3_600_000;
const roles = ['OWNER', 'MEMBER'] as const;
/** Budgets in the order of `apiKeyIds`; each user's second key has less than the credits of a list. */
const budgets = [null, 16, null, 12];
const ALLOWANCE_OF_MEMBER = 16;
/** A long-lived verification, one that expires soon, and an incomplete one. */
const daysLeft = [90, 2, null];

const statement = `
  with the_account as (
    insert into account (id, name, kind, plan) values ($1, 'Example', 'organization', 'free')
  ), the_user as (
    insert into identity."user" ("id", "name", "email")
    select id, 'Someone', lower(id) || '@example.com' from unnest($2::text[]) as id
  ), the_member as (
    insert into member (account_id, user_id, role, allowance)
    select $1, id, role, allowance from unnest($2::text[], $3::text[], $4::bigint[]) as made (id, role, allowance)
  ), the_key as (
    insert into api_key (id, account_id, created_by, name, secret_hash, last_four, permissions, budget)
    select id, $1, user_id, 'key', decode(repeat('00', 32), 'hex'), 'abcd', '{pentests:write}', budget
    from unnest($5::text[], $6::text[], $7::bigint[]) as made (id, user_id, budget)
  ), the_target as (
    insert into target (id, account_id, origin, host, api_runs)
    select id, $1, 'https://' || host, host, true from unnest($8::text[], $9::text[]) as made (id, host)
  ), the_verification as (
    insert into verification (id, account_id, target_id, method, covered_origin, verified_at, expires_at)
    select id, $1, target_id, 'attestation', 'https://' || host, expires_at - interval '90 days', expires_at
    from unnest($10::text[], $8::text[], $9::text[], $11::timestamptz[]) as made (id, target_id, host, expires_at)
  )
  insert into target_assignment (account_id, user_id, target_id)
  select $1, ($2::text[])[2], target_id from unnest($8::text[]) as target_id`;

export async function createStartAccount({ pool }: Database, now: Date): Promise<StartAccount> {
  const accountId = newId('acc');
  const userIds = roles.map(() => newId('usr'));
  const apiKeyIds = budgets.map(() => randomBase62(12));
  const targets = daysLeft.map((_, number) => {
    return { id: newId('tgt'), verificationId: newId('ver'), url: `https://target-${number}.example/` };
  });
  const values = [
    accountId,
    userIds,
    roles,
    [null, ALLOWANCE_OF_MEMBER],
    apiKeyIds,
    apiKeyIds.map((_, key) => ownerOf(userIds, key)),
    budgets,
    targets.map(({ id }) => id),
    targets.map(({ url }) => new URL(url).host),
    targets.map(({ verificationId }) => verificationId),
    expiriesFrom(now),
  ];
  await pool.query({ name: 'create-start-account', text: statement, values });
  return { accountId, userIds, apiKeyIds, targets };
}

const expiriesFrom = (now: Date) => daysLeft.map((days) => (days === null ? null : later(now, days * DAY_MS)));
const ownerOf = (userIds: string[], key: number) => userIds[Math.floor(key / 2)] ?? '';

/** Returns the model of the same account. */
export function modelOf({ userIds, apiKeyIds, targets }: StartAccount, now: Date): OverspendModel {
  const model = createOverspendModel(now);
  const [, memberId = ''] = userIds;
  roles.forEach((role, number) => void model.roles.set(userIds[number] ?? '', role));
  model.ledger.caps.set(memberId, ALLOWANCE_OF_MEMBER);
  apiKeyIds.forEach((id, key) => {
    model.keys.set(id, { userId: ownerOf(userIds, key), isRevoked: false });
    model.ledger.caps.set(id, budgets[key] ?? null);
  });
  const expiries = expiriesFrom(now);
  targets.forEach(({ verificationId, url }, number) => {
    const expiresAt = expiries[number] ?? null;
    const target: ModelTarget = {
      origin: new URL(url).origin,
      expiresAt,
      apiRuns: true,
      assignedTo: new Set([memberId]),
    };
    model.targets.set(verificationId, target);
  });
  return model;
}
