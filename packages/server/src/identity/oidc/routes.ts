import { dashboardEndpoints } from '@sortie/contract';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../errors/app-error.ts';
import { type DashboardRoute, route } from '../../http/route.ts';
import { disconnect, isConnected } from './find-user.ts';

const { getSignOn, disconnectSignOn } = dashboardEndpoints;

export function createSignOnRoutes(database: Database): DashboardRoute[] {
  return [
    route(getSignOn, async ({ caller: { userId } }) => ({ isConnected: await isConnected(database, userId) })),
    route(disconnectSignOn, async ({ caller: { userId } }) => {
      if (await disconnect(database, userId)) return { isConnected: false };
      const message = 'You could not sign in any more. Set a password or add a passkey first.';
      throw new AppError('VALIDATION_ERROR', { message });
    }),
  ];
}
