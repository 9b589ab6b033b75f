import type { Role } from '@sortie/contract';

/** "Owner". */
export const roleWord = (role: Role): string => role.charAt(0) + role.slice(1).toLowerCase();
