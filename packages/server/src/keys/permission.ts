import { type Permission, type Role, rolePermissions } from '@sortie/contract';
import { AppError } from '../app-error.ts';

interface Holder {
  /** Of the key. */
  permissions: readonly Permission[];
  /** Of the key's creator, today; null when no longer a member. */
  role: Role | null;
}

/** While nodes are being updated, a newer one may have given a role that this one does not know. */
function permissionsOf(role: Role | null): readonly Permission[] {
  return role !== null && Object.hasOwn(rolePermissions, role) ? rolePermissions[role] : [];
}

export function requirePermission({ permissions, role }: Holder, permission: Permission): void {
  if (permissions.includes(permission) && permissionsOf(role).includes(permission)) return;
  throw new AppError('FORBIDDEN', {
    message: `This needs the permission ${permission}, of the key and of the role of the person who created it.`,
  });
}
