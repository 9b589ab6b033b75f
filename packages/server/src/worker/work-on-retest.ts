import { findNext, type Judged, saveJudged, type TakenRetest } from '../retests/retests.ts';
import { confirmRun } from './confirm-run.ts';
import { MAX_ATTEMPTS, type WorkerContext } from './context.ts';
import { startEngine } from './engine-process.ts';
import { releaseRun } from './release-run.ts';
import { replayInEngine } from './replay-in-engine.ts';
import { prepareReplay } from './retest-order.ts';
import { retryWhileDatabaseAway } from './retry-while-database-away.ts';
import type { Work } from './run-slots.ts';

/** Number of concurrent retests per node. They are short and free. */
export const RETEST_SLOTS = 1;

const GIVEN_UP = 'The test engine ended several times before the replay did. Retest the finding again.';

const nothing = (reason: string): Judged => ({ outcome: 'VOID', reason, places: [] });

/** Replays the findings of a retest one after the other, each in a separate engine, and stores the outcomes. */
export async function workOnRetest(context: WorkerContext, retest: TakenRetest, work: Work): Promise<void> {
  const { database } = context;
  const { isEnded } = work;
  let attempts = retest.attempts;
  for (;;) {
    const next = await retryWhileDatabaseAway(() => findNext(database.queries, retest), isEnded);
    if (!next || isEnded()) return;
    const judged = attempts > MAX_ATTEMPTS ? nothing(GIVEN_UP) : await judge(context, retest, work, next);
    if (!judged) return releaseRun(context, 'retest', { ...retest, attempts }, { work, reason: 'engine ended' });
    await retryWhileDatabaseAway(() => saveJudged(database, retest, next.findingId, judged), isEnded);
    attempts = 1;
  }
}

/** Resolves to undefined if this attempt ended before the replay did. */
async function judge(
  context: WorkerContext,
  retest: TakenRetest,
  work: Work,
  next: { findingId: string; state: string | null },
): Promise<Judged | undefined> {
  const { database, chromium, options } = context;
  const { isEnded } = work;
  if (chromium !== null) await context.browserTrial.done();
  const order = await retryWhileDatabaseAway(() => prepareReplay(context, retest, next), isEnded);
  if (!order) return undefined;
  if ('obstacle' in order) return nothing(order.obstacle);
  const { accountId, pentestId, verificationId } = retest;
  const run = { accountId, id: pentestId, verificationId, targetUrl: `${order.capsule.origin}/`, script: null };
  const answer = await confirmRun(context, run, isEnded).catch(() => undefined);
  if (!answer) return undefined;
  if (!answer.owned) return nothing(answer.reason);
  const engine = startEngine(options, chromium === null ? 'pentest' : 'pentest-with-browser');
  work.onEnd((isLost) => (isLost ? engine.kill('the retest was taken over') : engine.end('the retest was ended')));
  try {
    return await replayInEngine(database, retest, { engine, order, isEnded });
  } finally {
    engine.kill('the attempt is over');
  }
}
