import type {
  CapsuleContent,
  Confidence,
  FindingPlace,
  FindingRetest,
  ParameterLocation,
  RetestOutcome,
  Severity,
} from '@sortie/contract';
import type { CoverageKey, Evidence } from '@sortie/engine';
import type { ColumnType, Generated } from 'kysely';
import type { Stamped } from './columns.ts';

interface PentestFindingTable {
  id: string;
  pentest_id: string;
  title: string;
  description: string | null;
  severity: Severity;
  confidence: Confidence;
  affected_url: string | null;
  remediation: string | null;
  /** As text with one decimal. */
  cvss_score: string | null;
  cwe_id: number | null;
  method: string | null;
  parameter: string | null;
  fingerprint: string;
  check_id: string | null;
  cvss_vector: string | null;
  cvss4_vector: string | null;
  impact: string | null;
  steps_to_reproduce: Generated<string[]>;
  location: ParameterLocation | null;
  references: Generated<string[]>;
  coverage_keys: ColumnType<CoverageKey[], string | undefined, string>;
  /** At most as many as the API lists; null for findings of earlier releases. */
  places: ColumnType<FindingPlace[] | null, string | undefined, string>;
  /** Counts all places. */
  place_count: Generated<number>;
  former_fingerprints: Generated<string[]>;
  created_at: Stamped<Date>;
  excluded_at: Date | null;
  edited_at: Date | null;
  evidence_deleted_at: Date | null;
  /** The engine's text, if a model has reworded it. */
  original_description: string | null;
  original_remediation: string | null;
}

interface EvidenceTable {
  pentest_id: string;
  fingerprint: string;
  position: number;
  label: string;
  request: string;
  response: string;
  highlights: ColumnType<NonNullable<Evidence['highlights']> | null, string | null, never>;
  is_cut: boolean | null;
  is_decisive: Generated<boolean>;
  is_control: boolean | null;
  is_repeatable: Generated<boolean>;
  created_at: Stamped<Date>;
}

interface CapsuleTable {
  pentest_id: string;
  fingerprint: string;
  content: ColumnType<CapsuleContent, string, never>;
  created_at: Stamped<Date>;
}

interface FlawEventTable {
  id: Generated<number>;
  account_id: string;
  target_id: string;
  /** Origin of the target URL. */
  site: string;
  finding_id: string;
  fingerprints: string[];
  kind: 'STATE' | 'ASSIGNEE' | 'NOTE';
  state: 'OPEN' | 'ACCEPTED' | 'FALSE_POSITIVE' | null;
  text: string | null;
  accepted_until: Date | null;
  assignee_id: string | null;
  user_id: string;
  created_at: Stamped<Date>;
}

interface RetestTable {
  id: string;
  account_id: string;
  target_id: string;
  pentest_id: string;
  user_id: string;
  created_at: Stamped<Date>;
  asked_at: Stamped<Date>;
  started_at: Date | null;
  completed_at: Date | null;
  lease_owner: string | null;
  lease_epoch: Generated<number>;
  lease_until: Date | null;
  attempts: Generated<number>;
  engine_state: string | null;
}

interface RetestFindingTable {
  retest_id: string;
  position: number;
  finding_id: string;
  outcome: RetestOutcome | null;
  reason: string | null;
  places: ColumnType<FindingRetest['places'] | null, never, string>;
  tested_at: Date | null;
}

/** Findings of pentests with their proofs, decisions about them, and retests. */
export interface FindingTables {
  pentest_finding: PentestFindingTable;
  evidence: EvidenceTable;
  capsule: CapsuleTable;
  flaw_event: FlawEventTable;
  retest: RetestTable;
  retest_finding: RetestFindingTable;
}
