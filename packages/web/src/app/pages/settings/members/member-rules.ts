import { type AccountOfPerson, type ManagedMember, type Role, roles } from '@sortie/contract';

export interface MemberRules {
  /** The roles that the person may give the member; none if it cannot change. */
  roles: readonly Role[];
  mayRemove: boolean;
  maySetAllowance: boolean;
}

/** What the server would permit the person to do to a member; it decides, this leaves out what it would refuse. */
export function rulesFor(
  { role: ownRole, kind }: Pick<AccountOfPerson, 'role' | 'kind'>,
  member: Pick<ManagedMember, 'userId' | 'role'>,
  { members, ownId }: { members: readonly Pick<ManagedMember, 'role'>[]; ownId: string },
): MemberRules {
  const isManageable = isManager({ role: ownRole }) && (member.role !== 'OWNER' || ownRole === 'OWNER');
  const isLastOwner = member.role === 'OWNER' && members.filter(({ role }) => role === 'OWNER').length === 1;
  const mayChangeRole = isManageable && !isLastOwner && kind === 'organization';
  return {
    roles: mayChangeRole ? roles.filter((role) => role !== 'OWNER' || ownRole === 'OWNER') : [],
    mayRemove: (isManageable || member.userId === ownId) && !isLastOwner,
    maySetAllowance: isManageable,
  };
}

/** Whether the person may invite others to the account. */
export const mayInvite = ({ role, kind }: Pick<AccountOfPerson, 'role' | 'kind'>): boolean =>
  kind === 'organization' && isManager({ role });

/** Whether the person administrates the account. */
export const isManager = ({ role }: Pick<AccountOfPerson, 'role'>): boolean => role === 'OWNER' || role === 'ADMIN';
