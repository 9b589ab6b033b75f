import { type CreatedKey, dashboardEndpoints, type ManagedKey } from '@sortie/contract';
import { listMembers } from '../accounts/accounts.ts';
import { readCapsOfKeys } from '../credits/credits.ts';
import { type Queries, serviceNow } from '../db/database.ts';
import { type DashboardRoute, type PermittedCaller, route } from '../http/route.ts';
import { createOwnKey, type Key, listKeys, permissionsOf, revokeKeyAsMember, rollKey } from '../keys/keys.ts';
import { isAssignedToAll } from '../targets/targets.ts';
import { changeAs, type DashboardContext, toIso } from './context.ts';

const { listKeys: listing, createKey: creation, rollKey: roll, revokeKey: revocation } = dashboardEndpoints;

export function keyRoutes({ database }: DashboardContext): DashboardRoute[] {
  const { queries } = database;

  async function describe(
    caller: PermittedCaller,
    { id, key }: Key & { key: { reveal(): string } },
  ): Promise<CreatedKey> {
    return { key: key.reveal(), record: await readOne(queries, caller, id) };
  }

  return [
    route(listing, async ({ caller }) => ({ keys: await readKeys(queries, caller) })),
    route(creation, async ({ caller, body }) =>
      describe(caller, await changeAs(database, caller, creation, (tx, by) => createOwnKey(tx, by, body))),
    ),
    route(roll, async ({ caller, params: { keyId }, body }) =>
      describe(caller, await changeAs(database, caller, roll, (tx, by) => rollKey(tx, by, { keyId, ...body }))),
    ),
    route(revocation, async ({ caller, params: { keyId } }) => {
      await changeAs(database, caller, revocation, (tx, by) => revokeKeyAsMember(tx, by, keyId));
      return readOne(queries, caller, keyId);
    }),
  ];
}

async function readOne(queries: Queries, caller: PermittedCaller, id: string): Promise<ManagedKey> {
  const found = (await readKeys(queries, caller)).find((key) => key.id === id);
  if (!found) throw new Error(`the key ${id} is not listed`);
  return found;
}

/** Resolves to all keys of the account for owners and admins, and to their own keys for others. */
async function readKeys(queries: Queries, { accountId, userId, role }: PermittedCaller): Promise<ManagedKey[]> {
  const [keys, members, caps, now] = await Promise.all([
    listKeys(queries, accountId),
    listMembers(queries, accountId),
    readCapsOfKeys(queries, accountId),
    serviceNow(queries),
  ]);
  return keys
    .filter(({ createdBy }) => isAssignedToAll(role) || createdBy === userId)
    .map((key) => {
      const creator = members.find((member) => member.userId === key.createdBy);
      const { used = 0, cap = null } = caps.get(key.id) ?? {};
      return {
        id: key.id,
        name: key.name,
        lastFour: key.lastFour,
        state: stateOf(key, creator !== undefined, now),
        permissions: key.permissions,
        effectivePermissions: key.permissions.filter((each) => permissionsOf(creator?.role ?? null).includes(each)),
        createdBy: { userId: key.createdBy, name: creator?.name ?? 'Former member' },
        isOwn: key.createdBy === userId,
        budget: cap,
        usedThisMonth: used,
        expiresAt: toIso(key.expiresAt),
        revokedAt: toIso(key.revokedAt),
        lastUsedAt: toIso(key.lastUsedAt),
        createdAt: key.createdAt.toISOString(),
      };
    });
}

function stateOf({ revokedAt, expiresAt }: Key, hasMember: boolean, now: Date): ManagedKey['state'] {
  if (revokedAt) return 'REVOKED';
  if (expiresAt && expiresAt <= now) return 'EXPIRED';
  return hasMember ? 'ACTIVE' : 'WITHOUT_MEMBER';
}
