import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { AppError } from '../errors/app-error.ts';
import { describeError, type Log } from '../platform/log.ts';
import { createEventStream } from './event-stream.ts';
import { type Announcement, type Listening, listenToDatabase } from './listen-to-database.ts';
import { forgetNode, forgetUnwatched, readAccess, watchAccounts } from './store.ts';
import { applyAccess, refuseTooMany, tellViewers, type Viewer, type Watching } from './viewers.ts';

/** Shorter than the time after which common proxies close a silent connection. */
const BEAT_MS = 15_000;

/** Announces changes to open pages of the dashboard, on whichever node they happen. */
export interface Live {
  /** Resolves to a stream of server-sent events. Throws RATE_LIMITED if there are too many. */
  open(viewer: Viewer): Promise<Readable>;
  stop(): Promise<void>;
}

/** Creates the part of this node that announces changes to its open pages. */
export function createLive(pool: pg.Pool, log: Log): Live {
  const node = randomUUID();
  const watching = new Set<Watching>();
  const listener = createListener(pool, {
    onAnnouncement(announcement) {
      const concerned = [...watching].filter(({ accountId }) => accountId === announcement.account);
      tellViewers(concerned, announcement);
      if (announcement.topic === 'access') void checkAccess(concerned);
    },
    onLost(error) {
      log.warn('open pages get no changes until they reconnect', describeError(error));
      // The pages reconnect and read everything, because announcements may be lost.
      for (const { stream } of watching) stream.end();
    },
  });
  let beats: NodeJS.Timeout | undefined;
  let isStopping = false;

  async function checkAccess(viewers: readonly Watching[]): Promise<void> {
    if (viewers.length === 0) return;
    const found = await readAccess(pool, viewers).catch((error: unknown) => {
      log.warn('the access of open pages was not checked', describeError(error));
    });
    if (found) applyAccess(viewers, found);
  }

  async function beat(): Promise<void> {
    for (const { stream } of watching) stream.beat();
    const accountIds = [...new Set([...watching].map(({ accountId }) => accountId))];
    try {
      await watchAccounts(pool, node, accountIds);
      await forgetUnwatched(pool);
    } catch (error) {
      log.warn('the watched accounts were not renewed', describeError(error));
    }
    await checkAccess([...watching]);
  }

  return {
    async open(viewer) {
      refuseTooMany([...watching], viewer);
      const stream = createEventStream(() => watching.delete(each));
      const each: Watching = { ...viewer, stream, access: undefined };
      watching.add(each);
      beats ??= setInterval(() => void beat(), BEAT_MS).unref();
      try {
        await listener.start();
        await watchAccounts(pool, node, [viewer.accountId]);
        await checkAccess([each]);
        if (!each.access) throw new AppError('UNAUTHORIZED', { message: 'Sign in first.' });
      } catch (error) {
        stream.body.destroy();
        throw error;
      }
      stream.ready();
      if (isStopping) stream.end();
      return stream.body;
    },
    async stop() {
      isStopping = true;
      clearInterval(beats);
      for (const { stream } of watching) stream.end();
      await listener.stop();
      await forgetNode(pool, node).catch(() => undefined);
    },
  };
}

interface Listener {
  onAnnouncement(announcement: Announcement): void;
  onLost(error: Error): void;
}

/** Connects when the first page is opened, so that nodes without pages keep no connection. */
function createListener(pool: pg.Pool, { onAnnouncement, onLost }: Listener) {
  let listening: Promise<Listening> | undefined;
  const forget = () => {
    listening = undefined;
  };
  return {
    async start(): Promise<void> {
      listening ??= listenToDatabase(pool, {
        onAnnouncement,
        onLost(error) {
          forget();
          onLost(error);
        },
      });
      await listening.catch((error: unknown) => {
        forget();
        throw error;
      });
    },
    async stop(): Promise<void> {
      await (await listening?.catch(() => undefined))?.stop();
    },
  };
}
