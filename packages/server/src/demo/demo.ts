import { chmod, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { permissions } from '@sortie/contract';
import { z } from 'zod';
import { addMember, createAccount, createUser } from '../accounts/accounts.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Config } from '../config.ts';
import { grantCredits, grantPlanCredits } from '../credits/credits.ts';
import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import { createKey } from '../keys/keys.ts';
import { randomBase62 } from '../new-id.ts';
import { StartupError } from '../startup-error.ts';

const DemoFile = z.object({ accountId: z.string(), apiKey: z.string() });

export type Demo = z.output<typeof DemoFile>;

const DEMO_PLAN = 'team';
const DEMO_CREDITS = 20_000;
const actor = 'demo';

/** The demo account of this data folder, made at its first start. Its key cannot be read back from the database. */
export async function seedDemo(
  database: Database,
  { dataDir, catalogue }: Pick<Config, 'dataDir' | 'catalogue'>,
): Promise<Demo> {
  const file = path.join(dataDir, 'demo.json');
  const known = await readDemo(file);
  if (known && (await exists(database, known.accountId))) return known;
  return inTransaction(database, async (tx) => {
    const demo = await createDemo(tx, catalogue);
    // Written before the account becomes visible: a crash in between leaves a file without an account, which is
    // noticed above, and never an account whose key is lost.
    await writePrivately(file, `${JSON.stringify(demo, undefined, 2)}\n`);
    return demo;
  });
}

async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    const demo = DemoFile.parse(JSON.parse(await readFile(file, 'utf8')));
    // A copy from a backup may have come back readable for others.
    await chmod(file, 0o600);
    return demo;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new StartupError(`${file} is damaged. Remove it to get a new demo account.`, { cause: error });
  }
}

async function exists({ queries }: Database, accountId: string): Promise<boolean> {
  const account = await queries.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst();
  return account !== undefined;
}

async function createDemo(tx: Transaction, catalogue: Catalogue): Promise<Demo> {
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
  const { key } = await createKey(tx, {
    accountId,
    userId,
    permissions,
    budget: null,
    expiresAt: null,
    name: 'Demo key',
    actor,
  });
  return { accountId, apiKey: key.reveal() };
}

/** One server at a time has the data folder, so what lies under the other name is from one that was killed. */
async function writePrivately(file: string, content: string): Promise<void> {
  const complete = `${file}.new`;
  await rm(complete, { force: true });
  const handle = await open(complete, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(complete, file);
}
