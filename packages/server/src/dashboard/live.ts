import { dashboardEndpoints } from '@sortie/contract';
import { AppError } from '../errors/app-error.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import type { DashboardContext } from './context.ts';

/** Proxies such as nginx would otherwise buffer events. */
const HEADERS = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' };

export function liveRoutes({ live }: DashboardContext): DashboardRoute[] {
  return [
    route(dashboardEndpoints.watchAccount, async ({ caller: { accountId, userId, session } }) => {
      if (!session) throw new AppError('UNAUTHORIZED');
      return { body: await live.open({ accountId, userId, sessionId: session.id }), headers: HEADERS };
    }),
  ];
}
