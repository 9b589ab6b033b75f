import { permissions } from '@sortie/contract';
import { sql } from 'kysely';
import { addMember, createAccount, createUser } from '../accounts/accounts.ts';
import type { Catalogue } from '../billing/catalogue.ts';
import type { Config } from '../config/config.ts';
import { grantCredits, grantPlanCredits } from '../credits/credits.ts';
import { type Database, inTransaction, type Queries, type Transaction } from '../db/database.ts';
import { hashSecret, parseKeyText } from '../keys/key-format.ts';
import { createKey } from '../keys/keys.ts';
import { randomBase62 } from '../platform/new-id.ts';
import { type Demo, demoFileIn, readDemoFile } from './demo-file.ts';
import { writeWholeFile } from './write-file.ts';

export type { Demo } from './demo-file.ts';

const DEMO_PLAN = 'team';
const DEMO_CREDITS = 20_000;
const actor = 'demo';

/**
 * Resolves to the demo account of this data folder, created at the first start. Replaces a key that no longer works,
 * because a key cannot be read back from the database.
 */
export function seedDemo(
  database: Database,
  { dataDir, catalogue }: Pick<Config, 'dataDir' | 'catalogue'>,
): Promise<Demo> {
  const file = demoFileIn(dataDir);
  return inTransaction(database, async (tx) => {
    const known = await readDemoFile(file);
    const demo = (known && (await renewDemo(tx, known))) ?? (await createDemo(tx, catalogue));
    // Written before account and key are committed. A crash in between leaves a file with an invalid key, which the
    // next start detects, and never an account without a known key.
    if (demo !== known) await writeWholeFile(file, demo);
    return demo;
  });
}

/** Resolves to undefined if the account is gone. An account that is suspended or has no owner was closed on purpose. */
async function renewDemo(tx: Transaction, known: Demo): Promise<Demo | undefined> {
  const { accountId } = known;
  const account = await tx
    .selectFrom('account')
    .select('suspended_at as suspendedAt')
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account) return undefined;
  if (account.suspendedAt || (await isWorking(tx, known))) return known;
  const owner = await tx
    .selectFrom('member')
    .select('user_id as userId')
    .where('account_id', '=', accountId)
    .where('role', '=', 'OWNER')
    .orderBy('user_id')
    .executeTakeFirst();
  return owner ? { accountId, apiKey: await createDemoKey(tx, accountId, owner.userId) } : known;
}

/** Resolves to whether the key of the demo account can still be used. */
export async function isWorking(queries: Queries, { accountId, apiKey }: Demo): Promise<boolean> {
  const key = parseKeyText(apiKey);
  if (!key) return false;
  const found = await queries
    .selectFrom('api_key as key')
    .innerJoin('member', (join) =>
      join.onRef('member.account_id', '=', 'key.account_id').onRef('member.user_id', '=', 'key.created_by'),
    )
    .select('key.id')
    .where('key.id', '=', key.id)
    .where('key.account_id', '=', accountId)
    .where('key.secret_hash', '=', hashSecret(key.secret))
    .where('key.revoked_at', 'is', null)
    .where((is) => is.or([is('key.expires_at', 'is', null), is('key.expires_at', '>', sql<Date>`service_now()`)]))
    .executeTakeFirst();
  return found !== undefined;
}

/** Creates the demo account with its key, credits and target. */
export async function createDemo(tx: Transaction, catalogue: Catalogue): Promise<Demo> {
  const { id: accountId } = await createAccount(
    tx,
    { name: 'Demo', kind: 'organization', plan: DEMO_PLAN, actor },
    catalogue,
  );
  const email = `demo-${randomBase62(8).toLowerCase()}@example.test`;
  const { id: userId } = await createUser(tx, { email, name: 'Demo owner', actor });
  await addMember(tx, { accountId, userId, role: 'OWNER', allowance: null, actor });
  await grantPlanCredits(tx, accountId, catalogue);
  await grantCredits(tx, {
    accountId,
    source: 'purchased',
    amount: DEMO_CREDITS,
    expiresAt: null,
    operationKey: `demo:${accountId}`,
    description: 'Demo credits.',
  });
  return { accountId, apiKey: await createDemoKey(tx, accountId, userId) };
}

async function createDemoKey(tx: Transaction, accountId: string, userId: string): Promise<string> {
  const newKey = { accountId, userId, permissions, budget: null, expiresAt: null, name: 'Demo key', actor };
  const { key } = await createKey(tx, newKey);
  return key.reveal();
}
