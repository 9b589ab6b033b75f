import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { RecurringJob } from '../jobs/recurring.ts';
import { describeError, type Log } from '../platform/log.ts';
import { type Claim, deleteOldClaims, selectGivenUp } from './claims.ts';
import { finishClaim } from './hand-over.ts';
import type { RunKind } from './starts.ts';

interface StartJobsOptions {
  kinds: readonly RunKind[];
  settings: Config['starts'];
  log: Log;
}

/** Returns the jobs that give up starts that were never handed over, and delete old claims. */
export function createStartJobs(database: Database, { kinds, settings, log }: StartJobsOptions): RecurringJob[] {
  return [
    { name: 'give-up-starts', everySeconds: 5, run: () => giveUpStarts(database, { kinds, settings, log }) },
    { name: 'forget-starts', everySeconds: 60 * 60, run: () => forgetStarts(database) },
  ];
}

/** Page size of one query; the sweep continues until nothing is left. */
const CLAIMS_AT_ONCE = 100;

const FIRST = { accountId: '', idempotencyKey: '' };

/**
 * Ends the runs whose start failed and was not retried in time. A run that cannot be ended does not block the others.
 */
async function giveUpStarts(database: Database, { kinds, settings, log }: StartJobsOptions): Promise<void> {
  let failure: unknown;
  let ended = 0;
  for (const kind of kinds) {
    const lookAfter = (after: typeof FIRST) =>
      selectGivenUp(database.queries, kind.endpoint, settings, { after, limit: CLAIMS_AT_ONCE });
    for (let claims = await lookAfter(FIRST); claims.length > 0; claims = await lookAfter(claims.at(-1) ?? FIRST)) {
      for (const claim of claims) {
        try {
          if (await giveUp(database, kind, claim)) ended++;
        } catch (error) {
          failure ??= error;
          const { accountId } = claim;
          log.error('a start could not be given up, continuing with the others', {
            accountId,
            ...describeError(error),
          });
        }
      }
    }
  }
  if (ended > 0) log.warn('starts that failed and were not retried were given up', { count: ended });
  if (failure) throw failure;
}

/** Gives up one run. Resolves to false if another attempt was faster. */
async function giveUp(database: Database, kind: RunKind, claim: Claim): Promise<boolean> {
  try {
    await finishClaim(database, claim, async (tx) => {
      // The next sweep retries a locked account.
      await sql`set local lock_timeout = '2s'`.execute(tx);
      return kind.giveUp(tx, claim);
    });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
    throw error;
  }
}

async function forgetStarts(database: Database): Promise<void> {
  while ((await deleteOldClaims(database.queries, 1_000)) > 0);
}
