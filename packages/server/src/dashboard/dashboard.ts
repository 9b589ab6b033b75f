import type { DashboardRoute } from '../http/route.ts';
import { auditRoutes } from './audit.ts';
import { targetChangeRoutes } from './change-targets.ts';
import type { DashboardContext } from './context.ts';
import { keyRoutes } from './keys.ts';
import { memberRoutes } from './members.ts';
import { personRoutes } from './person.ts';
import { targetRoutes } from './targets.ts';

/** Binds the endpoints that only the dashboard has to the features' functions, which the operator commands use too. */
export function createDashboardRoutes(context: DashboardContext): DashboardRoute[] {
  return [
    ...personRoutes(context),
    ...keyRoutes(context),
    ...memberRoutes(context),
    ...auditRoutes(context),
    ...targetRoutes(context),
    ...targetChangeRoutes(context),
  ];
}
