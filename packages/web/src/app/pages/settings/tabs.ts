import type { Role } from '@sortie/contract';
import type { ComponentType } from 'react';
import { AuditTab } from './audit/audit.tsx';
import { KeysTab } from './keys/keys.tsx';
import { MembersTab } from './members/members.tsx';
import { SecurityTab } from './security/security.tsx';

interface SettingsTab {
  /** Below the settings of the account. */
  path: string;
  label: string;
  component: ComponentType;
  /** Left out for other roles, which the server refuses. */
  roles?: readonly Role[];
}

/** The tabs of the settings, in order. */
export const settingsTabs: readonly SettingsTab[] = [
  { path: 'keys', label: 'API keys', component: KeysTab },
  { path: 'members', label: 'Members', component: MembersTab },
  { path: 'security', label: 'Security', component: SecurityTab },
  { path: 'audit', label: 'Audit log', component: AuditTab, roles: ['OWNER', 'ADMIN'] },
];
