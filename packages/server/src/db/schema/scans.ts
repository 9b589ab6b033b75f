import type { Confidence, Scan, Severity } from '@sortie/contract';
import type { EngineScript } from '@sortie/engine';
import type { ColumnType, Generated } from 'kysely';
import type { Stamped } from './columns.ts';

interface ScanTable {
  id: string;
  account_id: string;
  user_id: string;
  api_key_id: string | null;
  url: string;
  host: string;
  domain: string;
  status: Generated<'STARTED' | 'COMPLETED'>;
  algorithm_version: number;
  score: number | null;
  grade: Scan['grade'];
  checks_passed: number | null;
  checks_failed: number | null;
  checks_not_applicable: number | null;
  checks_not_run: number | null;
  not_run_reasons: ColumnType<Scan['notRunReasons'], string | undefined, string>;
  failure_code: string | null;
  failure_message: string | null;
  created_at: Stamped<Date>;
  handed_over_at: Date | null;
  completed_at: Date | null;
  lease_owner: string | null;
  lease_epoch: Generated<number>;
  lease_until: Date | null;
  attempts: Generated<number>;
  script: EngineScript | null;
  taken_at: Date | null;
  places: Generated<string[]>;
  placed_at: Date | null;
}

interface ScanOptOutTable {
  host: string;
  created_at: Stamped<Date>;
}

interface ScanFindingTable {
  id: string;
  scan_id: string;
  check_id: string;
  title: string;
  description: string;
  severity: Severity;
  confidence: Confidence;
  category: string;
  affected_url: string | null;
  evidence: string | null;
  remediation: string;
  cwe_id: number | null;
  score_impact: number;
  references: Generated<string[]>;
}

/** Scans and their findings. */
export interface ScanTables {
  scan: ScanTable;
  scan_opt_out: ScanOptOutTable;
  scan_finding: ScanFindingTable;
}
