import { readAccountBalance } from '../credits/credits.ts';
import type { Queries } from '../db/database.ts';
import { isServerRunning } from '../db/server-lock.ts';
import { listTargets } from '../targets/targets.ts';
import { type Addresses, readAddresses } from './addresses-file.ts';
import { isWorking } from './demo.ts';
import { type Demo, demoFileIn, readDemoFile } from './demo-file.ts';
import { findDemoOwner } from './demo-sign-in.ts';

export interface DemoStatus {
  running: boolean;
  /** Null if the server is not running. */
  baseUrl: string | null;
  dataDir: string;
  /** Null before the first start. */
  accountId: string | null;
  /** The last four characters; the whole key is in demo.json. */
  apiKeyTail: string | null;
  /** This and the following fields are null without a running database. */
  apiKeyWorks: boolean | null;
  /** E-mail address of the owner. The password and the link of the start cannot be shown again. */
  email: string | null;
  credits: { available: number; held: number } | null;
  target: { url: string; verificationId: string; expiresAt: string | null } | null;
}

/** Resolves to the state of the demo. Without a database, reads the data folder only. */
export async function readDemoStatus(dataDir: string, queries: Queries | undefined): Promise<DemoStatus> {
  const demo = await readDemoFile(demoFileIn(dataDir));
  const addresses = await findServer(dataDir, queries);
  return {
    running: addresses !== undefined,
    baseUrl: addresses?.baseUrl ?? null,
    dataDir,
    accountId: demo?.accountId ?? null,
    apiKeyTail: demo?.apiKey.slice(-4) ?? null,
    apiKeyWorks: demo && queries ? await isWorking(queries, demo) : null,
    email: demo && queries ? ((await findDemoOwner(queries, demo.accountId))?.email ?? null) : null,
    credits: demo && queries ? await readCredits(queries, demo) : null,
    target: demo && queries && addresses ? await findTarget(queries, demo, addresses) : null,
  };
}

async function findServer(dataDir: string, queries: Queries | undefined): Promise<Addresses | undefined> {
  const addresses = queries && (await readAddresses(dataDir));
  return addresses && (await isServerRunning(queries, addresses.pid)) ? addresses : undefined;
}

async function readCredits(queries: Queries, { accountId }: Demo): Promise<DemoStatus['credits']> {
  const { available, held } = await readAccountBalance(queries, accountId);
  return { available, held };
}

async function findTarget(
  queries: Queries,
  { accountId }: Demo,
  { targetUrl }: Addresses,
): Promise<DemoStatus['target']> {
  if (targetUrl === null) return null;
  const { origin } = new URL(targetUrl);
  const found = (await listTargets(queries, accountId)).find((each) => each.origin === origin);
  if (!found) return null;
  return { url: targetUrl, verificationId: found.id, expiresAt: found.expiresAt?.toISOString() ?? null };
}
