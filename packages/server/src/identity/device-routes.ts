import { dashboardEndpoints } from '@sortie/contract';
import { readPublicUrl } from '../accounts/accounts.ts';
import type { Config } from '../config/config.ts';
import { changeAs } from '../dashboard/context.ts';
import { type Database, inTransaction } from '../db/database.ts';
import {
  approveDeviceLogin,
  denyDeviceLogin,
  deviceKeyOf,
  POLL_SECONDS,
  pollDeviceLogin,
  requirePending,
  startDeviceLogin,
} from '../devices/devices.ts';
import { AppError } from '../errors/app-error.ts';
import { createAttemptLimit } from '../http/attempt-limit.ts';
import { createSecretCheck } from '../http/key-secrets.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import { parseKeyText } from '../keys/key-format.ts';
import { revokeKey } from '../keys/keys.ts';
import type { ServiceKey } from '../secrets/service-secrets.ts';

/** Limits the codes that one person may try. A code has 34 bits. */
const CODES = { name: 'device-code', requests: 10, seconds: 600 };

const endpoints = dashboardEndpoints;

interface DeviceRoutesOptions {
  database: Database;
  config: Pick<Config, 'environment'>;
  fingerprintKey: ServiceKey;
}

export function createDeviceRoutes({ database, config, fingerprintKey }: DeviceRoutesOptions): DashboardRoute[] {
  const { pool, queries } = database;
  const key = deviceKeyOf(fingerprintKey);
  const codes = createAttemptLimit(pool, fingerprintKey, CODES);
  const checkSecret = createSecretCheck(pool);
  const countCode = (userId: string) =>
    codes.require(userId, 'You have tried too many codes. Wait, then run the command again for a new code.');

  return [
    route(endpoints.startDeviceLogin, async ({ caller: { address }, body: { name } }) => {
      const { deviceCode, ...started } = await startDeviceLogin(database, key, { name, address });
      const verificationUrl = `${await readPublicUrl(queries)}/device`;
      return { ...started, deviceCode: deviceCode.reveal(), verificationUrl, intervalSeconds: POLL_SECONDS };
    }),
    route(endpoints.pollDeviceLogin, async ({ body: { deviceCode } }) => {
      const poll = await pollDeviceLogin(database, deviceCode);
      if (poll.state !== 'APPROVED') return { state: poll.state, key: null, account: null };
      return { ...poll, key: poll.key.reveal() };
    }),
    route(endpoints.readDeviceLogin, async ({ caller: { userId }, body: { userCode } }) => {
      await countCode(userId);
      const { name, address, createdAt, expiresAt } = await requirePending(queries, key, userCode);
      return { name, address, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
    }),
    route(endpoints.approveDeviceLogin, async ({ caller, body: { userCode, permissions, expiresAt } }) => {
      await countCode(caller.userId);
      await changeAs(database, caller, endpoints.approveDeviceLogin, (tx, { accountId, userId, role }) =>
        approveDeviceLogin(tx, key, { userCode, accountId, userId, role, permissions, keyExpiresAt: expiresAt }),
      );
      return { decided: true as const };
    }),
    route(endpoints.denyDeviceLogin, async ({ caller: { userId }, body: { userCode } }) => {
      await countCode(userId);
      await inTransaction(database, (tx) => denyDeviceLogin(tx, key, { userCode, userId }));
      return { decided: true as const };
    }),
    route(endpoints.revokePresentedKey, async ({ body: { key: text } }) => {
      const parsed = parseKeyText(text.trim());
      const isOurs = parsed?.environment === config.environment;
      if (!isOurs || (await checkSecret(parsed.id, parsed.secret)) === undefined) throw new AppError('UNAUTHORIZED');
      await inTransaction(database, (tx) => revokeKey(tx, { id: parsed.id, actor: 'key-holder' }));
      return { revoked: true as const };
    }),
  ];
}
