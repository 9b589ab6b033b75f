import type { ColumnType, Generated } from 'kysely';
import type { Environment } from '../../config/variables.ts';
import type { Stamped } from './columns.ts';

interface ServiceTable {
  only_row: Generated<boolean>;
  environment: Environment;
  clock_shift: ColumnType<string, string | undefined, string>;
  /** Each node that serves the dashboard writes it at its start. */
  public_url: Generated<string | null>;
}

interface RecurringJobTable {
  name: string;
  due_at: Date;
}

interface FaultTable {
  name: string;
  remaining: number;
}

interface SandboxRunTable {
  run_id: string;
  story: string;
  epoch: number;
  position: Generated<number>;
  due_at: Date;
}

interface SandboxStartTable {
  account_id: string;
  idempotency_key: string;
  attempts: Generated<number>;
  first_at: Stamped<Date>;
}

/** The service itself: its clock, its recurring jobs, the sandbox, and faults that tests plant. */
export interface ServiceTables {
  service: ServiceTable;
  recurring_job: RecurringJobTable;
  fault: FaultTable;
  sandbox_run: SandboxRunTable;
  sandbox_start: SandboxStartTable;
}
