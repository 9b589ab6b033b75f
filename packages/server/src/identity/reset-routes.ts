import { dashboardEndpoints } from '@sortie/contract';
import type { Database } from '../db/database.ts';
import { createAttemptLimit } from '../http/attempt-limit.ts';
import { floodKey } from '../http/client-address.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import { requestReset } from '../mail/mail.ts';
import type { ServiceKey } from '../secrets/service-secrets.ts';

/** Every request may send mail to a person who has not asked for it. */
const PER_ADDRESS = { name: 'password-reset', requests: 3, seconds: 3_600 };
/** Per client, over all e-mail addresses; an office may share one address. */
const PER_CLIENT = { name: 'password-resets-of-client', requests: 30, seconds: 3_600 };

export function createResetRoutes(database: Database, fingerprintKey: ServiceKey): DashboardRoute[] {
  const { pool } = database;
  const perAddress = createAttemptLimit(pool, fingerprintKey, PER_ADDRESS);
  const perClient = createAttemptLimit(pool, fingerprintKey, PER_CLIENT);
  return [
    route(dashboardEndpoints.requestPasswordReset, async ({ caller: { address }, body: { email } }) => {
      await perClient.require(
        floodKey(address),
        'Too many requests for links from your network. Wait, then try again.',
      );
      await perAddress.require(
        email,
        'Links were requested three times for this e-mail address. Use the latest mail, or wait before you request another one.',
      );
      await requestReset(database, email);
      return { requested: true as const };
    }),
  ];
}
