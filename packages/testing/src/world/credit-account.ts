import type { Database } from '../../../server/src/db/database.ts';
import { newId, randomBase62 } from '../../../server/src/platform/new-id.ts';

export interface CreditAccount {
  accountId: string;
  /** In the same order: the first key belongs to the first member. */
  userIds: string[];
  apiKeyIds: string[];
}

/** Creates an organization with members, each with an API key, without caps and credits. */
export async function createCreditAccount({ pool }: Database, members = 1, plan = 'free'): Promise<CreditAccount> {
  const accountId = newId('acc');
  const userIds = Array.from({ length: members }, () => newId('usr'));
  const apiKeyIds = userIds.map(() => randomBase62(12));
  await pool.query({
    name: 'create-credit-account',
    text: `
      with the_account as (
        insert into account (id, name, kind, plan) values ($1, 'Example', 'organization', $2)
      ), the_user as (
        insert into identity."user" ("id", "name", "email") select id, 'Someone', lower(id) || '@example.com' from unnest($3::text[]) as id
      ), the_member as (
        insert into member (account_id, user_id, role) select $1, id, 'MEMBER' from unnest($3::text[]) as id
      )
      insert into api_key (id, account_id, created_by, name, secret_hash, last_four, permissions)
      select key_id, $1, user_id, 'key', decode(repeat('00', 32), 'hex'), 'abcd', '{}'
      from unnest($4::text[], $3::text[]) as made (key_id, user_id)`,
    values: [accountId, plan, userIds, apiKeyIds],
  });
  return { accountId, userIds, apiKeyIds };
}

export async function setBudget({ pool }: Database, apiKeyId: string, budget: number | null): Promise<void> {
  await pool.query('update api_key set budget = $2 where id = $1', [apiKeyId, budget]);
}

export async function setAllowance({ pool }: Database, userId: string, allowance: number | null): Promise<void> {
  await pool.query('update member set allowance = $2 where user_id = $1', [userId, allowance]);
}
