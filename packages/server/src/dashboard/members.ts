import { dashboardEndpoints, type ManagedMember } from '@sortie/contract';
import {
  listMembers,
  removeMemberAsMember,
  renameAccount,
  setAllowanceAsMember,
  setRoleAsMember,
} from '../accounts/accounts.ts';
import { readCapsOfMembers } from '../credits/credits.ts';
import type { Queries } from '../db/database.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import { countAssignments } from '../targets/targets.ts';
import { changeAs, type DashboardContext } from './context.ts';

const {
  listMembers: listing,
  setMemberRole,
  setMemberAllowance,
  removeMember,
  renameAccount: naming,
} = dashboardEndpoints;

export function memberRoutes({ database }: DashboardContext): DashboardRoute[] {
  const { queries } = database;
  return [
    route(listing, async ({ caller }) => ({ members: await readMembers(queries, caller.accountId) })),
    route(setMemberRole, async ({ caller, params: { userId }, body: { role } }) => {
      await changeAs(database, caller, setMemberRole, (tx, by) =>
        setRoleAsMember(tx, { accountId: by.accountId, userId, role, actor: by.userId, actorRole: by.role }),
      );
      return readMember(queries, caller.accountId, userId);
    }),
    route(setMemberAllowance, async ({ caller, params: { userId }, body: { allowance } }) => {
      await changeAs(database, caller, setMemberAllowance, (tx, by) =>
        setAllowanceAsMember(tx, { accountId: by.accountId, userId, allowance, actor: by.userId, actorRole: by.role }),
      );
      return readMember(queries, caller.accountId, userId);
    }),
    route(removeMember, async ({ caller, params: { userId } }) => {
      await changeAs(database, caller, removeMember, (tx, by) =>
        removeMemberAsMember(tx, { accountId: by.accountId, userId, actor: by.userId, actorRole: by.role }),
      );
      return { removed: true as const };
    }),
    route(naming, async ({ caller, body: { name } }) => {
      const named = await changeAs(database, caller, naming, (tx, { accountId, userId }) =>
        renameAccount(tx, { accountId, name, actor: userId }),
      );
      return { id: named.id, name: named.name };
    }),
  ];
}

async function readMember(queries: Queries, accountId: string, userId: string): Promise<ManagedMember> {
  const found = (await readMembers(queries, accountId)).find((member) => member.userId === userId);
  if (!found) throw new Error(`${userId} is not listed as a member`);
  return found;
}

async function readMembers(queries: Queries, accountId: string): Promise<ManagedMember[]> {
  const [members, caps, assignments] = await Promise.all([
    listMembers(queries, accountId),
    readCapsOfMembers(queries, accountId),
    countAssignments(queries, accountId),
  ]);
  return members.map(({ userId, name, email, role, joinedAt }) => ({
    userId,
    name,
    email,
    role,
    allowance: caps.get(userId)?.cap ?? null,
    usedThisMonth: caps.get(userId)?.used ?? 0,
    assignedTargets: assignments.get(userId) ?? 0,
    joinedAt: joinedAt.toISOString(),
  }));
}
