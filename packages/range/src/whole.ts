import { randomBytes } from 'node:crypto';
import { leafletRoutes, preferenceRoutes, traceRoutes } from './access/odd-routes.ts';
import { consoleRoutes, lockerPages, objectRoutes, staffRoutes } from './access/routes.ts';
import { basketRoutes, memberRoutes } from './access/write-routes.ts';
import type { AlsoGiven } from './account.ts';
import { aisleRoutes } from './aisles.ts';
import type { Routes } from './answer.ts';
import { apiDocumentRoutes } from './api-document.ts';
import { appRoutes } from './app/routes.ts';
import { framedRoutes, originRoutes, settingRoutes } from './crossing/routes.ts';
import { decoyRoutes } from './decoys/routes.ts';
import { directoryRoutes } from './directory/routes.ts';
import { leftBehindRoutes } from './files/left-behind.ts';
import { fileRoutes } from './files/routes.ts';
import { uploadRoutes } from './files/upload-routes.ts';
import { gateRoutes } from './gates/routes.ts';
import { graphqlRoutes } from './graphql/routes.ts';
import { guildRoutes } from './guild/routes.ts';
import { fetchingRoutes, headerRoutes, redirectRoutes } from './leaving/routes.ts';
import { includingRoutes, loggingRoutes } from './leaving/unseen-routes.ts';
import { nosqlRoutes } from './nosql/routes.ts';
import { scriptRoutes } from './scripts/routes.ts';
import { storedRoutes } from './scripts/stored-routes.ts';
import type { Services } from './services.ts';
import { shellRoutes } from './shell/routes.ts';
import { sieveRoutes } from './sieves/routes.ts';
import { societyRoutes } from './society/routes.ts';
import { partnerRoutes } from './sql/partner-routes.ts';
import { sqlRoutes } from './sql/routes.ts';
import { stallRoutes } from './stalls/routes.ts';
import { templateRoutes } from './template/routes.ts';
import { openTokens } from './tokens/routes.ts';
import { cornerRoutes } from './traps/corners.ts';
import { harmRoutes } from './traps/harm-routes.ts';
import { createTouches, endlessRoutes, forbiddenRoutes } from './traps/routes.ts';
import { wardenRoutes } from './wardens/routes.ts';
import { xmlRoutes } from './xml/routes.ts';

/** Returns all areas except the front of the shop. */
export function openAreas(services: Services): { routes: Routes; alsoGiven: AlsoGiven } {
  const tokens = openTokens(services);
  const alsoGiven: AlsoGiven = (customer, id) => [
    services.sessions.embeddedCookie(id),
    ...tokens.cookiesFor(customer),
    // The flaw: scripts can read it. The other one is a decoy: it names no session.
    `remember_token=${randomBytes(16).toString('hex')}; Path=/; SameSite=Lax`,
    'last_login_method=form; Path=/; SameSite=Lax',
    'shop_mode=full; Path=/; SameSite=Lax',
    `range_customer=${customer}; Path=/; HttpOnly; SameSite=Lax`,
  ];
  return { routes: { ...routesOf(services), ...tokens.routes }, alsoGiven };
}

function routesOf(services: Services): Routes {
  const touches = createTouches();
  return {
    ...aisleRoutes(services),
    ...sqlRoutes(services),
    ...partnerRoutes(services),
    ...nosqlRoutes(services),
    ...directoryRoutes(),
    ...shellRoutes(services),
    ...templateRoutes(),
    ...xmlRoutes(services),
    ...fileRoutes(),
    ...leftBehindRoutes(),
    ...uploadRoutes(),
    ...redirectRoutes(),
    ...headerRoutes(),
    ...fetchingRoutes(services),
    ...includingRoutes(services),
    ...loggingRoutes(services),
    ...originRoutes(),
    ...settingRoutes(services),
    ...framedRoutes(),
    ...scriptRoutes(),
    ...storedRoutes(),
    ...staffRoutes(services),
    ...lockerPages(services),
    ...objectRoutes(services),
    ...consoleRoutes(services),
    ...memberRoutes(),
    ...basketRoutes(services),
    ...traceRoutes(),
    ...preferenceRoutes(),
    ...guildRoutes(),
    ...wardenRoutes(),
    ...societyRoutes(),
    ...gateRoutes(),
    ...stallRoutes(),
    ...sieveRoutes(services),
    ...leafletRoutes(),
    ...graphqlRoutes(services, touches),
    ...appRoutes(),
    ...decoyRoutes(services),
    ...endlessRoutes(),
    ...forbiddenRoutes(touches),
    ...harmRoutes(touches, services),
    ...cornerRoutes(),
    ...apiDocumentRoutes(services),
  };
}
