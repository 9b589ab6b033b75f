import type { OwnershipResult } from '@sortie/engine';
import type { ColumnType, Generated } from 'kysely';
import type { Json, Stamped } from './columns.ts';

interface TargetTable {
  id: string;
  account_id: string;
  origin: string;
  host: string;
  api_runs: Generated<boolean>;
  excluded_paths: Generated<string[]>;
  requests_per_second: number | null;
  /** Times of day (UTC). */
  window_from: string | null;
  window_to: string | null;
  emergency_contact: string | null;
  created_at: Stamped<Date>;
}

interface VerificationTable {
  id: string;
  account_id: string;
  target_id: string;
  method: 'dns' | 'file' | 'meta' | 'attestation';
  covered_name: string | null;
  covered_origin: string | null;
  token: Generated<string>;
  verified_at: Date | null;
  expires_at: Date | null;
  /** When the account removed it. A removed verification authorises nothing. */
  removed_at: ColumnType<Date | null, undefined, Date>;
  created_at: Stamped<Date>;
}

interface OwnershipCheckTable {
  id: string;
  account_id: string;
  verification_id: string;
  pentest_id: string | null;
  asked_by: string | null;
  asked_at: Stamped<Date>;
  lease_owner: string | null;
  lease_epoch: Generated<number>;
  lease_until: Date | null;
  attempts: Generated<number>;
  completed_at: Date | null;
  outcome: OwnershipResult['outcome'] | null;
  message: string | null;
  look_ups: ColumnType<OwnershipResult['lookUps'] | null, string | undefined, string>;
  egress: ColumnType<OwnershipResult['egress'] | null, string | undefined, string>;
}

interface ConsentTable {
  pentest_id: string;
  user_id: string;
  api_key_id: string | null;
  verification_id: string;
  rules: Json;
  created_at: Stamped<Date>;
}

/** Targets, who owns them, and who agreed to a test. */
export interface TargetTables {
  target: TargetTable;
  verification: VerificationTable;
  ownership_check: OwnershipCheckTable;
  consent: ConsentTable;
}
