import type { Permission } from '@sortie/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Stamped } from './columns.ts';

interface UserTable {
  id: string;
  name: string;
  email: string;
  emailVerified: Generated<boolean>;
  image: string | null;
  createdAt: Stamped<Date>;
  updatedAt: Generated<Date>;
  /** A sign-in that began before this time creates no session. */
  sessionsEndedAt: Generated<Date | null>;
}

/** A way to sign in; the names of the columns are those of better-auth. */
interface IdentityAccountTable {
  id: string;
  userId: string;
  providerId: string;
  accountId: string;
  password: string | null;
  createdAt: Date;
  updatedAt: Date;
}

interface IdentitySessionTable {
  id: string;
  userId: string;
  /** When the person last proved their identity; null if that is when the session began. */
  authenticatedAt: Date | null;
}

interface IdentityVerificationTable {
  id: string;
  /** Hash of the identifier. */
  identifier: string;
  value: string;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

interface DeviceLoginTable {
  id: string;
  device_code_hash: string;
  user_code_hash: string;
  name: string;
  address: string;
  state: Generated<'PENDING' | 'APPROVED' | 'DENIED' | 'DONE'>;
  user_id: Generated<string | null>;
  account_id: Generated<string | null>;
  permissions: Generated<Permission[] | null>;
  key_expires_at: Generated<Date | null>;
  created_at: Stamped<Date>;
  expires_at: Generated<Date>;
  polled_at: Generated<Date | null>;
}

interface MailTable {
  id: string;
  kind: 'PASSWORD_RESET' | 'INVITATION';
  recipient: string;
  state: 'REQUESTED' | 'WAITING' | 'SENT' | 'REFUSED' | 'EXPIRED';
  invitation_id: string | null;
  sealed: Buffer | null;
  attempts: Generated<number>;
  failure: Generated<string | null>;
  created_at: Stamped<Date>;
  due_at: Generated<Date>;
  expires_at: Date;
  sent_at: ColumnType<Date | null, undefined, Date>;
}

/** People, how they sign in, and mails to them. */
export interface IdentityTables {
  'identity.user': UserTable;
  'identity.account': IdentityAccountTable;
  'identity.session': IdentitySessionTable;
  'identity.verification': IdentityVerificationTable;
  device_login: DeviceLoginTable;
  mail: MailTable;
}
