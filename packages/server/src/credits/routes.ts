import { depths, endpoints, type LevelsResponse } from '@sortie/contract';
import type { Catalogue } from '../billing/catalogue.ts';
import type { Database } from '../db/database.ts';
import { type Route, route } from '../http/route.ts';
import { createBalanceReader, readUsage } from './credits.ts';

export function createCreditRoutes(database: Database, catalogue: Catalogue): Route[] {
  const balance = createBalanceReader(database);
  return [
    route(endpoints.getCreditsBalance, ({ caller, early }) => balance.read(caller, early), balance.readGrants),
    route(endpoints.getCreditsUsage, ({ caller, query }) =>
      readUsage(database.queries, {
        ...query,
        accountId: caller.accountId,
        onlyUserId: caller.role === 'MEMBER' ? caller.userId : undefined,
      }),
    ),
    route(endpoints.listLevels, async () => describeLevels(catalogue)),
  ];
}

function describeLevels({ levels }: Catalogue): LevelsResponse {
  return {
    levels: depths.map((depth) => {
      const { name, credits, reviewCredits, api, maxMinutes } = levels[depth];
      return { depth, name, credits, reviewCredits, expertReview: reviewCredits > 0, api, maxMinutes };
    }),
  };
}
