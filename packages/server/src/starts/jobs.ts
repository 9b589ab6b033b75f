import { AppError } from '../app-error.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { RecurringJob } from '../jobs/recurring.ts';
import { describeError, type Log } from '../log.ts';
import { type Claim, deleteOldClaims, selectGivenUp } from './claims.ts';
import { finishClaim } from './hand-over.ts';
import type { RunKind } from './starts.ts';

interface StartJobsOptions {
  kinds: readonly RunKind[];
  settings: Config['starts'];
  log: Log;
}

export function createStartJobs(database: Database, { kinds, settings, log }: StartJobsOptions): RecurringJob[] {
  return [
    {
      name: 'give-up-starts',
      everySeconds: 5,
      async run() {
        for (const kind of kinds) await giveUpStarts(database, kind, { settings, log });
      },
    },
    { name: 'forget-starts', everySeconds: 60 * 60, run: () => forgetStarts(database) },
  ];
}

/** Bounds one look, not the work. */
const CLAIMS_AT_ONCE = 100;

/** Ends the runs whose start failed and was not retried in time. */
async function giveUpStarts(
  database: Database,
  kind: RunKind,
  { settings, log }: Omit<StartJobsOptions, 'kinds'>,
): Promise<void> {
  let failure: unknown;
  for (;;) {
    const claims = await selectGivenUp(database.queries, kind.endpoint, settings, CLAIMS_AT_ONCE);
    let ended = 0;
    for (const claim of claims) {
      try {
        if (await giveUp(database, kind, claim)) ended++;
      } catch (error) {
        failure = error;
        log.error('a start could not be given up, the others go on', {
          accountId: claim.accountId,
          ...describeError(error),
        });
      }
    }
    if (ended > 0) log.warn('starts that failed and were not retried were given up', { count: ended });
    // Those that cannot be ended would be found again and again.
    if (ended < CLAIMS_AT_ONCE) break;
  }
  if (failure) throw failure;
}

/** False when somebody was faster. */
async function giveUp(database: Database, kind: RunKind, claim: Claim): Promise<boolean> {
  try {
    await finishClaim(database, claim, (tx) => kind.giveUp(tx, claim));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
    throw error;
  }
}

async function forgetStarts(database: Database): Promise<void> {
  while ((await deleteOldClaims(database.queries, 1_000)) > 0);
}
