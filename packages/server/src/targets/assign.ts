import type { Role } from '@sortie/contract';
import { lockAccount, requireMember } from '../accounts/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { equalsOrLiesUnder, readHost } from './coverage.ts';
import { requireVerification, type Verification } from './find-verification.ts';
import {
  deleteAssignment,
  insertAssignment,
  selectAssignedHosts,
  selectAssignment,
  selectAssignmentCounts,
} from './store.ts';

interface AssignmentChange {
  verificationId: string;
  userId: string;
  actor: string;
}

/** Assigns a target to a member. Does nothing if it is assigned already. */
export function assignTarget(tx: Transaction, change: AssignmentChange): Promise<Verification> {
  return changeAssignment(tx, change, { write: insertAssignment, action: 'target.assigned' });
}

/** Ends the assignment of a target to a member. Runs in progress continue. */
export function unassignTarget(tx: Transaction, change: AssignmentChange): Promise<Verification> {
  return changeAssignment(tx, change, { write: deleteAssignment, action: 'target.unassigned' });
}

async function changeAssignment(
  tx: Transaction,
  { verificationId, userId, actor }: AssignmentChange,
  { write, action }: { write: typeof insertAssignment; action: string },
): Promise<Verification> {
  const verification = await requireVerification(tx, verificationId);
  const { accountId, targetId } = verification;
  // Removing a member takes the same lock, and a start holds it while it checks the assignment.
  await lockAccount(tx, accountId);
  await requireMember(tx, { accountId, userId });
  if (await write(tx, { accountId, userId, targetId })) {
    await recordAudit(tx, { actor, action, accountId, subject: targetId, details: { userId } });
  }
  return verification;
}

interface Caller {
  accountId: string;
  userId: string;
  role: Role;
}

/** Owners and admins may use every target. That includes personal accounts, whose only member is the owner. */
export const isAssignedToAll = (role: Role) => role === 'OWNER' || role === 'ADMIN';

/** Resolves to whether the member may use the target. */
export async function isAssigned(
  queries: Queries,
  { accountId, userId, role, targetId }: Caller & { targetId: string },
): Promise<boolean> {
  if (isAssignedToAll(role)) return true;
  return (await selectAssignment(queries, { accountId, userId, targetId })) !== undefined;
}

/** Resolves to the hosts of the targets that are assigned to a member. */
export async function listAssignedHosts(queries: Queries, accountId: string, userId: string): Promise<string[]> {
  const assigned = await selectAssignedHosts(queries, accountId, userId);
  return assigned.map(({ host }) => host);
}

/** Resolves to the number of assigned targets by user id. Omits members without one. */
export async function countAssignments(queries: Queries, accountId: string): Promise<Map<string, number>> {
  const rows = await selectAssignmentCounts(queries, accountId);
  return new Map(rows.map(({ userId, targets }) => [userId, targets]));
}

/** Resolves to whether the host belongs to an assigned target or is a subdomain of one. */
export async function isHostAssigned(
  queries: Queries,
  { accountId, userId, role, host }: Caller & { host: string },
): Promise<boolean> {
  if (isAssignedToAll(role)) return true;
  const known = readHost(host);
  if (known === undefined) return false;
  const assigned = await selectAssignedHosts(queries, accountId, userId);
  return assigned.some((target) => equalsOrLiesUnder(known, target.host));
}
