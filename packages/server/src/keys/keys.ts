export { createKey, type Key, listKeys, revokeKey } from './key-records.ts';
export { createOwnKey, requireOwnPermissions, revokeKeyAsMember, rollKey } from './manage-keys.ts';
export { permissionsOf, requirePermission } from './permission.ts';
export { requireStarter } from './require-starter.ts';
