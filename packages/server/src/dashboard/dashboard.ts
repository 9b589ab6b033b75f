import type { DashboardRoute } from '../http/route.ts';
import { auditRoutes } from './audit.ts';
import { targetChangeRoutes } from './change-targets.ts';
import type { DashboardContext } from './context.ts';
import { findingRoutes } from './findings.ts';
import { homeRoutes } from './home.ts';
import { invitationRoutes } from './invitations.ts';
import { keyRoutes } from './keys.ts';
import { liveRoutes } from './live.ts';
import { loginTryRoutes } from './login-tries.ts';
import { memberRoutes } from './members.ts';
import { personRoutes } from './person.ts';
import { reportRoutes } from './reports.ts';
import { retestRoutes } from './retests.ts';
import { runRoutes } from './runs.ts';
import { targetRoutes } from './targets.ts';

export type { DashboardContext, DemoSite } from './context.ts';

/** Binds the endpoints that only the dashboard has to the functions that the operator commands call as well. */
export function createDashboardRoutes(context: DashboardContext): DashboardRoute[] {
  return [
    ...personRoutes(context),
    ...keyRoutes(context),
    ...memberRoutes(context),
    ...invitationRoutes(context),
    ...auditRoutes(context),
    ...targetRoutes(context),
    ...targetChangeRoutes(context),
    ...loginTryRoutes(context),
    ...findingRoutes(context),
    ...liveRoutes(context),
    ...runRoutes(context),
    ...retestRoutes(context),
    ...reportRoutes(context),
    ...homeRoutes(context),
  ];
}
