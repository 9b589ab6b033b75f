import type { LiveChange } from '@sortie/contract';
import { AppError } from '../errors/app-error.ts';
import { isAssignedToAll } from '../targets/targets.ts';
import type { EventStream } from './event-stream.ts';
import type { Announcement } from './listen-to-database.ts';
import type { Access } from './store.ts';

/** Every page opens one stream; browsers open at most six to one host at the same time. */
const MOST_OF_PERSON = 20;
const MOST_OF_NODE = 2_000;

export interface Viewer {
  accountId: string;
  userId: string;
  sessionId: string;
}

export interface Watching extends Viewer {
  stream: EventStream;
  /** Undefined until it is read. */
  access: Access | undefined;
}

const EVERYTHING: LiveChange = { topic: 'access', id: null };

const maySee = ({ role, targetIds }: Access, target: string | null) =>
  target === null || isAssignedToAll(role) || targetIds.includes(target);

const isSame = (one: Access, other: Access) =>
  one.role === other.role && one.targetIds.join() === other.targetIds.join();

/**
 * Sends the change to viewers who may see it. Members get no ids of objects that belong to no target, such as keys, or
 * scans of others.
 */
export function tellViewers(viewers: readonly Watching[], { topic, subject, target }: Announcement): void {
  for (const { stream, access } of viewers) {
    if (topic === 'access') stream.tell({ topic: 'members', id: null });
    else if (access && maySee(access, target)) {
      stream.tell({ topic, id: target === null && !isAssignedToAll(access.role) ? null : subject });
    }
  }
}

/** Ends the streams of viewers without access, and sends `access` to viewers whose access has changed. */
export function applyAccess(viewers: readonly Watching[], found: readonly (Access | undefined)[]): void {
  viewers.forEach((viewer, index) => {
    const access = found[index];
    if (!access) viewer.stream.end('NO_ACCESS');
    else if (viewer.access && !isSame(access, viewer.access)) viewer.stream.tell(EVERYTHING);
    viewer.access = access;
  });
}

/** Throws RATE_LIMITED if the person or the node has as many open streams as allowed. */
export function refuseTooMany(viewers: readonly Viewer[], { userId }: Viewer): void {
  const own = viewers.filter((each) => each.userId === userId).length;
  if (own < MOST_OF_PERSON && viewers.length < MOST_OF_NODE) return;
  const message =
    'Too many pages are open at once. This one reloads its data every few seconds; close others for live changes.';
  throw new AppError('RATE_LIMITED', { message, retryAfterSeconds: 60 });
}
