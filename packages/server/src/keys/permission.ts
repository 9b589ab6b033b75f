import { type Permission, type Role, rolePermissions } from '@sortie/contract';
import { AppError } from '../errors/app-error.ts';

interface Holder {
  /** The key's permissions. */
  permissions: readonly Permission[];
  /** The current role of the key's creator; null if no longer a member. */
  role: Role | null;
}

/**
 * Returns the permissions of a role. Returns none for an unknown role, which a newer node may have assigned during an
 * update.
 */
export function permissionsOf(role: Role | null): readonly Permission[] {
  return role !== null && Object.hasOwn(rolePermissions, role) ? rolePermissions[role] : [];
}

/** Throws if the permission is missing. With null, any key of a current member passes. */
export function requirePermission({ permissions, role }: Holder, permission: Permission | null): void {
  if (permission === null) {
    if (role !== null) return;
    throw new AppError('FORBIDDEN', {
      message: 'The creator of this API key is no longer a member of the account. Use a key of a current member.',
    });
  }
  if (permissions.includes(permission) && permissionsOf(role).includes(permission)) return;
  throw new AppError('FORBIDDEN', {
    message: `This request needs the permission ${permission}: both the key and the role of its creator must have it.`,
  });
}
