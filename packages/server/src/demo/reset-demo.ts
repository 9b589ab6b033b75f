import { requireAccount, suspendAccount } from '../accounts/accounts.ts';
import type { Catalogue } from '../billing/catalogue.ts';
import type { Transaction } from '../db/database.ts';
import { requireTestEnvironment } from '../db/environment.ts';
import { AppError } from '../errors/app-error.ts';
import { cancelAll } from '../pentests/pentests.ts';
import { cancelRetests } from '../retests/retests.ts';
import { attestTarget, listTargets, readRules, setApiRuns, setRules, type Verification } from '../targets/targets.ts';
import { createDemo } from './demo.ts';
import { type Demo, demoFileIn, readDemoFile } from './demo-file.ts';
import { createDemoSignIn, type DemoSignIn } from './demo-sign-in.ts';
import { writeWholeFile } from './write-file.ts';

export interface DemoReset extends Demo {
  former: { accountId: string; cancelledPentests: number };
  targets: { url: string; verificationId: string }[];
  signIn: DemoSignIn | null;
}

const actor = 'demo';

/**
 * Closes the demo account and creates a new one with the same attested targets. The history of the former account stays
 * in the database, since credit history is never rewritten.
 */
export async function resetDemo(tx: Transaction, dataDir: string, catalogue: Catalogue): Promise<DemoReset> {
  await requireTestEnvironment(tx, 'A demo account can be reset in environment test only, and this database is live.');
  const file = demoFileIn(dataDir);
  const known = await readDemoFile(file);
  if (!known) throw noDemo(dataDir);
  const { id: accountId } = await requireAccount(tx, known.accountId);
  await suspendAccount(tx, { accountId, actor });
  await cancelRetests(tx, accountId, 'Cancelled because the demo was reset.');
  const former = {
    accountId,
    cancelledPentests: await cancelAll(tx, accountId, 'Cancelled because the demo was reset'),
  };
  const demo = await createDemo(tx, catalogue);
  const targets: DemoReset['targets'] = [];
  for (const target of await listTargets(tx, accountId)) {
    if (target.method === 'attestation') targets.push(await handDown(tx, target, demo.accountId));
  }
  // Written before the new account is committed, as at a start, so that its key cannot be lost.
  await writeWholeFile(file, demo);
  const signIn = (await createDemoSignIn(tx, demo.accountId)) ?? null;
  return { ...demo, former, targets, signIn };
}

function noDemo(dataDir: string): AppError {
  const message = `The data folder ${dataDir} has no demo account. "npm start" makes one in environment test.`;
  return new AppError('NOT_FOUND', { message });
}

async function handDown(tx: Transaction, { origin, targetId, apiRuns }: Verification, accountId: string) {
  const { id: verificationId } = await attestTarget(tx, { accountId, url: origin, actor });
  const { rules: changes } = await readRules(tx, targetId);
  await setRules(tx, { verificationId, changes, clear: true, actor });
  await setApiRuns(tx, { verificationId, apiRuns, actor });
  return { url: `${origin}/`, verificationId };
}
