import type { CreditPart, CreditSource, CreditsState, UsageType } from '@sortie/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Stamped } from './columns.ts';

interface CreditGrantTable {
  id: Generated<number>;
  account_id: string;
  source: CreditSource;
  amount: number;
  available: number;
  held: Generated<number>;
  spent: Generated<number>;
  expired: Generated<number>;
  removed: Generated<number>;
  moved: Generated<number>;
  expires_at: Date | null;
  parent_id: number | null;
  created_at: Stamped<Date>;
}

interface CreditHoldTable {
  run_id: string;
  account_id: string;
  api_key_id: string | null;
  user_id: string | null;
  cycle: ColumnType<string, string, never>;
  testing_reserved: number;
  testing_charged: number | null;
  review_reserved: number;
  review_charged: number | null;
  state: Generated<Extract<CreditsState, 'RESERVED' | 'CHARGED' | 'RETURNED'>>;
  created_at: Stamped<Date>;
}

interface CreditSliceTable {
  run_id: string;
  part: CreditPart;
  position: number;
  grant_id: number;
  amount: number;
  charged: Generated<number>;
  returned: Generated<number>;
}

interface CreditOperationTable {
  sequence: Generated<number>;
  id: string;
  operation_key: string;
  account_id: string;
  type: UsageType;
  credits: number;
  part: CreditPart | null;
  run_id: string | null;
  api_key_id: string | null;
  user_id: string | null;
  description: string;
  available_after: number;
  held_after: number;
  created_at: Stamped<Date>;
}

interface CreditEntryTable {
  operation_sequence: number;
  position: number;
  grant_id: number;
  from_place: 'issued' | 'available' | 'held';
  to_place: 'available' | 'held' | 'spent' | 'expired' | 'removed' | 'moved';
  amount: number;
}

interface ChargeStatementTable {
  pentest_id: string;
  outcome: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  started: boolean;
  testing_reserved: number;
  review_reserved: number;
  engine_ms: number;
  max_minutes: number;
  requests: number;
  max_requests: number;
  model_microdollars: number;
  model_budget_microdollars: number;
  minimum: number;
  testing_charged: number;
  review_charged: number | null;
  created_at: Stamped<Date>;
}

/** The ledger of credits. */
export interface CreditTables {
  credit_grant: CreditGrantTable;
  credit_hold: CreditHoldTable;
  credit_slice: CreditSliceTable;
  credit_operation: CreditOperationTable;
  credit_entry: CreditEntryTable;
  charge_statement: ChargeStatementTable;
}
