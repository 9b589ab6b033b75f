import type { Permission, Role } from '@sortie/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Json, Stamped } from './columns.ts';

interface AccountTable {
  id: string;
  name: string;
  kind: 'personal' | 'organization';
  plan: string;
  suspended_at: Date | null;
  external_models: Generated<boolean>;
  created_at: Stamped<Date>;
}

interface MemberTable {
  account_id: string;
  user_id: string;
  role: Role;
  allowance: number | null;
  created_at: Stamped<Date>;
  getting_started_skipped_at: Date | null;
}

interface InvitationTable {
  id: string;
  account_id: string;
  email: string;
  role: Role;
  token_hash: string;
  invited_by: string;
  created_at: Stamped<Date>;
  expires_at: Date;
  accepted_at: ColumnType<Date | null, undefined, Date>;
  revoked_at: ColumnType<Date | null, undefined, Date>;
}

interface TargetAssignmentTable {
  account_id: string;
  user_id: string;
  target_id: string;
  created_at: Stamped<Date>;
}

interface ApiKeyTable {
  id: string;
  account_id: string;
  created_by: string;
  name: string;
  secret_hash: Buffer;
  last_four: string;
  permissions: Permission[];
  budget: number | null;
  /** The first key of those that share the budget; null for a key that replaces none. */
  budget_of: ColumnType<string | null, string | null | undefined, never>;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Stamped<Date>;
}

interface RateCounterTable {
  counter: string;
  requests: number;
  window_ends_at: Date;
}

interface AuditEntryTable {
  id: Generated<number>;
  at: Stamped<Date>;
  actor: string;
  action: string;
  account_id: string | null;
  subject: string;
  details: Json;
}

interface StaffMemberTable {
  user_id: string;
  role: 'REVIEWER' | 'OPERATOR';
  created_at: Stamped<Date>;
}

/** Accounts, their members and keys. */
export interface AccountTables {
  account: AccountTable;
  member: MemberTable;
  invitation: InvitationTable;
  target_assignment: TargetAssignmentTable;
  api_key: ApiKeyTable;
  rate_counter: RateCounterTable;
  audit_entry: AuditEntryTable;
  staff_member: StaffMemberTable;
}
