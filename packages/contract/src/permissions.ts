/** Permissions of API keys. */
export const permissions = ['credits:read', 'scans:read', 'scans:write', 'pentests:read', 'pentests:write'] as const;
export type Permission = (typeof permissions)[number];

/** Roles of members, with decreasing rights. */
export const roles = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const;
export type Role = (typeof roles)[number];

/** The permissions that a key of a member with this role can have. */
export const rolePermissions: Record<Role, readonly Permission[]> = {
  OWNER: permissions,
  ADMIN: permissions,
  MEMBER: permissions,
  VIEWER: permissions.filter((permission) => permission.endsWith(':read')),
};
