import { createSecretKey } from 'node:crypto';
import { join } from 'node:path';
import type { accountCommands } from '../../../../server/src/admin/account.ts';
import type { AdminContext } from '../../../../server/src/admin/context.ts';
import type { creditsCommands } from '../../../../server/src/admin/credits.ts';
import type { keyCommands } from '../../../../server/src/admin/key.ts';
import type { memberCommands } from '../../../../server/src/admin/member.ts';
import type { targetCommands } from '../../../../server/src/admin/target.ts';
import { type Catalogue, defaultCatalogue } from '../../../../server/src/billing/catalogue.ts';
import type * as Credits from '../../../../server/src/credits/credits.ts';
import type * as CreditJobs from '../../../../server/src/credits/jobs.ts';
import { type Database, inTransaction } from '../../../../server/src/db/database.ts';
import type { fingerprint } from '../../../../server/src/http/fingerprint.ts';
import type { cancelPentest } from '../../../../server/src/pentests/cancel-pentest.ts';
import type * as Pentests from '../../../../server/src/pentests/pentests.ts';
import { fixedVaultKeys } from '../../../../server/src/secrets/service-secrets.ts';
import type { createHandOver } from '../../../../server/src/starts/hand-over.ts';
import type { createStartJobs } from '../../../../server/src/starts/jobs.ts';
import type { startOnce } from '../../../../server/src/starts/starts.ts';
import { levels, plans } from './model.ts';

/** The product is loaded from a folder, so that a copy with a planted bug can replace it. */
export interface Product {
  credits: typeof Credits;
  jobs: typeof CreditJobs;
  pentests: typeof Pentests;
  cancelPentest: typeof cancelPentest;
  startOnce: typeof startOnce;
  createHandOver: typeof createHandOver;
  createStartJobs: typeof createStartJobs;
  fingerprint: typeof fingerprint;
  /** Returns the operator commands for the given database. */
  operator(database: Database): Operator;
}

interface Operator {
  account: ReturnType<typeof accountCommands>;
  credits: ReturnType<typeof creditsCommands>;
  key: ReturnType<typeof keyCommands>;
  member: ReturnType<typeof memberCommands>;
  target: ReturnType<typeof targetCommands>;
}

export async function loadProduct(sourceFolder: string): Promise<Product> {
  const load = (file: string) => import(join(sourceFolder, file));
  const [account, credits, key, member, target] = await Promise.all(
    ['account', 'credits', 'key', 'member', 'target'].map((name) => load(`admin/${name}.ts`)),
  );
  const { startOnce } = await load('starts/starts.ts');
  const { createHandOver } = await load('starts/hand-over.ts');
  const { createStartJobs } = await load('starts/jobs.ts');
  const { cancelPentest } = await load('pentests/cancel-pentest.ts');
  const { fingerprint } = await load('http/fingerprint.ts');
  return {
    credits: await load('credits/credits.ts'),
    jobs: await load('credits/jobs.ts'),
    pentests: await load('pentests/pentests.ts'),
    cancelPentest,
    startOnce,
    createHandOver,
    createStartJobs,
    fingerprint,
    operator(database) {
      const context: AdminContext = { catalogue, transact: (work) => inTransaction(database, work) };
      return {
        account: account.accountCommands(context),
        credits: credits.creditsCommands(context),
        key: key.keyCommands(context),
        member: member.memberCommands(context),
        target: target.targetCommands(context),
      };
    },
  };
}

const levelOf = (depth: keyof typeof levels) => {
  const { testing, review } = levels[depth];
  return { ...defaultCatalogue.levels[depth], credits: testing + review, reviewCredits: review };
};
const planEntries = Object.entries(plans).map(([name, concurrentPentests]) => {
  return [name, { monthlyCredits: 0, scansPerMonth: null, concurrentPentests }] as const;
});

const catalogue: Catalogue = {
  levels: { ...defaultCatalogue.levels, LEAD: levelOf('LEAD'), STANDARD: levelOf('STANDARD'), DEEP: levelOf('DEEP') },
  plans: Object.fromEntries(planEntries),
};

const key = createSecretKey(Buffer.alloc(32, 'key'));
const silent = () => undefined;

export const environment = {
  rules: { catalogue, vaultKeys: fixedVaultKeys({ id: 'vault', key }) },
  fingerprintKey: key,
  settings: { claimHeldMs: 120_000, givenUpAfterMs: 300_000 },
  log: { debug: silent, info: silent, warn: silent, error: silent },
};
