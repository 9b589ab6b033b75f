import { aisleRoutes } from './aisles.ts';
import type { Routes } from './answer.ts';
import type { Services } from './services.ts';
import { partnerRoutes } from './sql/partner-routes.ts';
import { sqlRoutes } from './sql/routes.ts';

/** All areas besides the front of the shop. */
export function wholeRoutes(services: Services): Routes {
  return {
    ...aisleRoutes(),
    ...sqlRoutes(services),
    ...partnerRoutes(services),
  };
}
