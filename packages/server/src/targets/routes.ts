import { endpoints } from '@sortie/contract';
import type { Queries } from '../db/database.ts';
import { type Route, route } from '../http/route.ts';
import { listAssignedTargets, readTarget } from './read-targets.ts';

export function createTargetRoutes(queries: Queries): Route[] {
  return [
    route(endpoints.listTargets, ({ caller, query }) => listAssignedTargets(queries, caller, query)),
    route(endpoints.getTarget, ({ caller, params }) => readTarget(queries, caller, params.verificationId)),
  ];
}
