import { type ApiKey, endpoints } from '@sortie/contract';
import { readCaps } from '../credits/credits.ts';
import type { Database } from '../db/database.ts';
import { type PermittedCaller, type Route, route } from '../http/route.ts';
import { permissionsOf } from './permission.ts';
import { selectEnvironment } from './store.ts';

export function createKeyRoutes(database: Database): Route[] {
  return [route(endpoints.getKey, ({ caller }) => readKey(database, caller))];
}

async function readKey({ pool, queries }: Database, caller: PermittedCaller): Promise<ApiKey> {
  const { accountId, role } = caller;
  const key = await queries
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select(['api_key.id', 'api_key.name', 'api_key.permissions', 'account.name as accountName', 'account.kind'])
    .select(['api_key.expires_at as expiresAt', 'api_key.created_at as createdAt'])
    .where('api_key.id', '=', caller.apiKeyId)
    .executeTakeFirstOrThrow();
  return {
    id: key.id,
    name: key.name,
    permissions: key.permissions.filter((permission) => permissionsOf(role).includes(permission)),
    role,
    account: { id: accountId, name: key.accountName, kind: key.kind },
    environment: await selectEnvironment(queries),
    budget: caller.isCapped ? (await readCaps(pool, caller)).keyBudget : null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  };
}
