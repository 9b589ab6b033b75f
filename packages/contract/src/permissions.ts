export const permissions = ['credits:read', 'scans:read', 'scans:write', 'pentests:read', 'pentests:write'] as const;
export type Permission = (typeof permissions)[number];

export const roles = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const;
export type Role = (typeof roles)[number];

export const rolePermissions: Record<Role, readonly Permission[]> = {
  OWNER: permissions,
  ADMIN: permissions,
  MEMBER: permissions,
  VIEWER: permissions.filter((permission) => permission.endsWith(':read')),
};
