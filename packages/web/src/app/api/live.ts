import type { LiveChange } from '@sortie/contract';
import { useEffect, useSyncExternalStore } from 'react';
import { addressOf } from './call.ts';
import { isLive, setLive, whenLiveChanges } from './live-state.ts';
import { isConcerned } from './live-topics.ts';
import { queryClient } from './queries.ts';

/** Changes that follow each other faster are read at once. */
const BETWEEN_READS_MS = 1_000;

/** Longer than two beats of the server: the connection is dead. */
const SILENCE_MS = 40_000;

/** After a refusal, for example since too many pages are open. */
const REFUSED_MS = 60_000;

/** Reads again what the server says has changed, while the page is visible: browsers limit the open connections. */
export function useLiveUpdates(accountId: string | undefined): void {
  useEffect(() => {
    if (accountId === undefined) return;
    let connection = document.hidden ? undefined : connect(accountId);
    const follow = () => {
      connection?.close();
      connection = document.hidden ? undefined : connect(accountId);
    };
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      connection?.close();
    };
  }, [accountId]);
}

export const useIsLive = (): boolean => useSyncExternalStore(whenLiveChanges, isLive);

function connect(accountId: string): { close(): void } {
  const changes = collectChanges();
  let source: EventSource | undefined;
  let watchdog: number | undefined;
  const open = (): void => {
    source?.close();
    const opened = new EventSource(addressOf('watchAccount', { accountId }));
    source = opened;
    const hear = () => {
      clearTimeout(watchdog);
      watchdog = window.setTimeout(open, SILENCE_MS);
    };
    const lose = () => {
      setLive(false);
      // Browsers ask again by themselves unless they were refused.
      if (opened.readyState !== EventSource.CLOSED) return;
      clearTimeout(watchdog);
      watchdog = window.setTimeout(open, REFUSED_MS);
    };
    opened.addEventListener('ready', () => {
      hear();
      setLive(true);
      // What has changed before is not told.
      changes.add([{ topic: 'access', id: null }]);
    });
    opened.addEventListener('beat', hear);
    opened.addEventListener('changed', (event: MessageEvent<string>) => {
      hear();
      changes.add(JSON.parse(event.data) as LiveChange[]);
    });
    opened.addEventListener('end', () => {
      opened.close();
      setLive(false);
      // Says why: the session has ended, or the account is not the person's any more.
      void queryClient.invalidateQueries();
    });
    opened.addEventListener('error', lose);
  };
  open();
  return {
    close() {
      clearTimeout(watchdog);
      source?.close();
      setLive(false);
    },
  };
}

/** Reads at most once per second. */
function collectChanges() {
  let waiting: LiveChange[] = [];
  let pause: number | undefined;
  const read = (): void => {
    pause = undefined;
    if (waiting.length === 0) return;
    const changes = waiting;
    waiting = [];
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isConcerned(queryKey, changes) });
    pause = window.setTimeout(read, BETWEEN_READS_MS);
  };
  return {
    add(changes: readonly LiveChange[]): void {
      waiting.push(...changes);
      if (pause === undefined) read();
    },
  };
}
