import { dashboardEndpoints } from '@sortie/contract';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import { endSessions, listSessions } from './session-store.ts';

const { listSessions: listing, endSession, endOtherSessions } = dashboardEndpoints;

export function createSessionRoutes(database: Database): DashboardRoute[] {
  return [
    route(listing, async ({ caller: { userId, session } }) => {
      const sessions = (await listSessions(database.pool, userId)).map((stored) => ({
        id: stored.id,
        isCurrent: stored.id === session.id,
        userAgent: stored.userAgent ?? '',
        address: stored.address ?? '',
        signedInAt: stored.signedInAt.toISOString(),
        lastUsedAt: stored.lastUsedAt.toISOString(),
        expiresAt: stored.expiresAt.toISOString(),
      }));
      return { sessions: sessions.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent)) };
    }),
    route(endSession, async ({ caller: { userId }, params: { sessionId } }) => {
      const ended = await endSessions(database, { userId, id: sessionId });
      if (ended === 0) throw new AppError('NOT_FOUND', { message: 'This session has ended already. Reload the list.' });
      return { ended };
    }),
    route(endOtherSessions, async ({ caller: { userId, session } }) => ({
      ended: await endSessions(database, { userId, kept: session.id }),
    })),
  ];
}
