import type { ParameterLocation } from '@sortie/contract';
import type { Diagnostic } from '@sortie/engine';
import type { ColumnType, Generated } from 'kysely';
import type { Stamped } from './columns.ts';

interface EgressTable {
  run_id: string;
  host: string;
  port: number;
  address: string;
  outcome: 'CONTACTED' | 'REFUSED';
  reason: string;
  connections: number;
  requests: number;
  first_at: Stamped<Date>;
  last_at: Generated<Date>;
}

interface ListenerTable {
  url: string;
  zone: string | null;
  seen_at: Generated<Date>;
}

interface OutsideCallTable {
  label: string;
  kind: 'http' | 'dns';
  detail: string;
  source: string;
  heard_at: Stamped<Date>;
}

interface DiagnosticTable {
  id: Generated<number>;
  pentest_id: string;
  epoch: number;
  event: Diagnostic['event'];
  checks: string[];
  method: string;
  url: string;
  parameter: string | null;
  location: ParameterLocation | null;
  account: string | null;
  verdict: Diagnostic['verdict'];
  reason: string;
  requests: ColumnType<Diagnostic['requests'], string, never>;
  created_at: Stamped<Date>;
}

interface DiagnosticTotalTable {
  pentest_id: string;
  kept: Generated<number>;
  bytes: Generated<number>;
  not_kept: Generated<number>;
  last_at: Generated<Date>;
}

interface ActivityTable {
  id: Generated<number>;
  pentest_id: string;
  step: string;
  specialist: string;
  hypothesis: string | null;
  tried: string;
  outcome: string;
  created_at: Stamped<Date>;
}

/** The destinations, tests and callbacks of runs. */
export interface TraceTables {
  egress: EgressTable;
  listener: ListenerTable;
  outside_call: OutsideCallTable;
  diagnostic: DiagnosticTable;
  diagnostic_total: DiagnosticTotalTable;
  activity: ActivityTable;
}
