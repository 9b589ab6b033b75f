import { createSecretKey } from 'node:crypto';
import { join } from 'node:path';
import type { accountCommands } from '../../../../server/src/admin/account.ts';
import { defaultCatalogue } from '../../../../server/src/billing/catalogue.ts';
import type { advanceClock } from '../../../../server/src/clock/clock.ts';
import type * as Credits from '../../../../server/src/credits/credits.ts';
import type { expireDueGrants } from '../../../../server/src/credits/jobs.ts';
import type * as Leases from '../../../../server/src/jobs/leases.ts';
import type { cancelPentest } from '../../../../server/src/pentests/cancel-pentest.ts';
import type * as Pentests from '../../../../server/src/pentests/pentests.ts';
import type * as ReadPentests from '../../../../server/src/pentests/read-pentests.ts';
import type * as Review from '../../../../server/src/review/review.ts';
import { fixedVaultKeys } from '../../../../server/src/secrets/service-secrets.ts';
import type { createHandOver } from '../../../../server/src/starts/hand-over.ts';
import type { createStartJobs } from '../../../../server/src/starts/jobs.ts';
import type { startOnce } from '../../../../server/src/starts/starts.ts';

/** The product is loaded from a folder, so that a copy with a planted bug can replace it. */
export interface Product {
  accountCommands: typeof accountCommands;
  advanceClock: typeof advanceClock;
  credits: typeof Credits;
  expireDueGrants: typeof expireDueGrants;
  leases: typeof Leases;
  pentests: typeof Pentests;
  cancelPentest: typeof cancelPentest;
  reading: typeof ReadPentests;
  review: typeof Review;
  startOnce: typeof startOnce;
  createHandOver: typeof createHandOver;
  createStartJobs: typeof createStartJobs;
}

export async function loadProduct(sourceFolder: string): Promise<Product> {
  const load = (file: string) => import(join(sourceFolder, file));
  return {
    accountCommands: (await load('admin/account.ts')).accountCommands,
    advanceClock: (await load('clock/clock.ts')).advanceClock,
    credits: await load('credits/credits.ts'),
    expireDueGrants: (await load('credits/jobs.ts')).expireDueGrants,
    leases: await load('jobs/leases.ts'),
    pentests: await load('pentests/pentests.ts'),
    cancelPentest: (await load('pentests/cancel-pentest.ts')).cancelPentest,
    reading: await load('pentests/read-pentests.ts'),
    review: await load('review/review.ts'),
    startOnce: (await load('starts/starts.ts')).startOnce,
    createHandOver: (await load('starts/hand-over.ts')).createHandOver,
    createStartJobs: (await load('starts/jobs.ts')).createStartJobs,
  };
}

const silent = () => undefined;

export const environment = {
  rules: {
    catalogue: defaultCatalogue,
    vaultKeys: fixedVaultKeys({ id: 'vault', key: createSecretKey(Buffer.alloc(32, 'key')) }),
  },
  settings: { claimHeldMs: 120_000, givenUpAfterMs: 300_000 },
  log: { debug: silent, info: silent, warn: silent, error: silent },
};
