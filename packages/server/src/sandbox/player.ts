import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { describeError, type Log } from '../platform/log.ts';
import { scanKind } from '../scans/scans.ts';
import { play } from './play.ts';
import { advanceStory, type DueStory, deleteStory, takeDueStories } from './store.ts';
import { stories } from './stories.ts';

/** Maximum delay of an act. */
const POLL_EVERY_MS = 250;

/** Plays the due act and schedules the next one. */
export async function playDueAct(database: Database, due: DueStory): Promise<void> {
  const { story, position, id } = due;
  const known = stories[story];
  // The story belongs to a newer release, whose nodes will find it due again.
  if (!known) return;
  const acts = known[id.startsWith(scanKind.idPrefix) ? 'scan' : 'pentest'];
  const act = acts?.[position];
  const next = acts?.[position + 1];
  const isStillOurs = act !== undefined && (await play(database, due, act));
  if (isStillOurs && next) await advanceStory(database.queries, due, next.afterMs);
  else await deleteStory(database.queries, due);
}

/** Plays due acts of all stories on this node. After a crash, any node continues them. */
export function startPlayer(database: Database, log: Log): { stop(): Promise<void> } {
  const stopped = new AbortController();

  async function playDueStories(): Promise<void> {
    for (;;) {
      const found = await takeDueStories(database.queries);
      await Promise.all(
        found.map((due) =>
          playDueAct(database, due).catch((error: unknown) =>
            log.warn('a sandbox story failed, will retry', { runId: due.id, ...describeError(error) }),
          ),
        ),
      );
      if (found.length === 0 || stopped.signal.aborted) return;
    }
  }

  /** Logs an unavailable database once, not at every poll. */
  async function pollUntilStopped(): Promise<void> {
    let isAway = false;
    while (!stopped.signal.aborted) {
      await playDueStories().then(
        () => {
          isAway = false;
        },
        (error: unknown) => {
          if (!isAway) log.warn('the sandbox cannot read its stories', describeError(error));
          isAway = true;
        },
      );
      await sleep(POLL_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  const round = pollUntilStopped();
  return {
    async stop() {
      stopped.abort();
      await round;
    },
  };
}
