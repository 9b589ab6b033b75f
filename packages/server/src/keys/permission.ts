import { type Permission, type Role, rolePermissions } from '@sortie/contract';
import { AppError } from '../errors/app-error.ts';

interface Holder {
  /** Of the key. */
  permissions: readonly Permission[];
  /** Of the key's creator, today; null when no longer a member. */
  role: Role | null;
}

/** While nodes are being updated, a newer one may have given a role that this one does not know. */
export function permissionsOf(role: Role | null): readonly Permission[] {
  return role !== null && Object.hasOwn(rolePermissions, role) ? rolePermissions[role] : [];
}

/** Null is asked of endpoints that any key of a member may call. */
export function requirePermission({ permissions, role }: Holder, permission: Permission | null): void {
  if (permission === null) {
    if (role !== null) return;
    throw new AppError('FORBIDDEN', {
      message: 'The person who created this key is no longer a member of the account.',
    });
  }
  if (permissions.includes(permission) && permissionsOf(role).includes(permission)) return;
  throw new AppError('FORBIDDEN', {
    message: `This needs the permission ${permission}, of the key and of the role of the person who created it.`,
  });
}
