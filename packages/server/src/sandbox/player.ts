import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { describeError, type Log } from '../platform/log.ts';
import { scanKind } from '../scans/scans.ts';
import { play } from './play.ts';
import { advanceStory, type DueStory, deleteStory, takeDueStories } from './store.ts';
import { stories } from './stories.ts';

/** Maximum delay of an act. */
const LOOK_EVERY_MS = 250;

/** Plays the due act, and schedules the next one. */
export async function goOn(database: Database, due: DueStory): Promise<void> {
  const { story, position, id } = due;
  const known = stories[story];
  // The story comes from a newer node, which will find it due again.
  if (!known) return;
  const acts = known[id.startsWith(scanKind.idPrefix) ? 'scan' : 'pentest'];
  const act = acts?.[position];
  const next = acts?.[position + 1];
  const isStillOurs = act !== undefined && (await play(database, due, act));
  if (isStillOurs && next) await advanceStory(database.queries, due, next.afterMs);
  else await deleteStory(database.queries, due);
}

/** Plays the stories whose next act is due, on any node. After a crash they continue where they were. */
export function startPlayer(database: Database, log: Log): { stop(): Promise<void> } {
  const stopped = new AbortController();

  async function look(): Promise<void> {
    for (;;) {
      const found = await takeDueStories(database.queries);
      await Promise.all(
        found.map((due) =>
          goOn(database, due).catch((error: unknown) =>
            log.warn('a sandbox story failed, will retry', { runId: due.id, ...describeError(error) }),
          ),
        ),
      );
      if (found.length === 0 || stopped.signal.aborted) return;
    }
  }

  /** Logs an unavailable database once, not at every poll. */
  async function goRound(): Promise<void> {
    let isAway = false;
    while (!stopped.signal.aborted) {
      await look().then(
        () => {
          isAway = false;
        },
        (error: unknown) => {
          if (!isAway) log.warn('the sandbox cannot read its stories', describeError(error));
          isAway = true;
        },
      );
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  const round = goRound();
  return {
    async stop() {
      stopped.abort();
      await round;
    },
  };
}
