import type {
  ApiDescriptionKind,
  CapsuleContent,
  Confidence,
  Coverage,
  CreditPart,
  CreditSource,
  CreditsState,
  Depth,
  endpoints,
  FindingPlace,
  ParameterLocation,
  PentestStatus,
  Permission,
  Role,
  Scan,
  Severity,
  Untested,
  UsageType,
} from '@sortie/contract';
import type { CoverageKey, Diagnostic, EngineScript, Evidence, OwnershipResult, Phase } from '@sortie/engine';
import type { ColumnType, Generated } from 'kysely';
import type { z } from 'zod';
import type { Environment } from '../config.ts';

/** A column that the database fills in and that never changes afterwards. */
type Stamped<T> = ColumnType<T, T | undefined, never>;
type Json = ColumnType<Record<string, unknown>, string | undefined, never>;

interface ServiceTable {
  only_row: Generated<boolean>;
  environment: Environment;
  clock_shift: ColumnType<string, string | undefined, string>;
  /** Written at each start of a node that serves people. */
  public_url: Generated<string | null>;
}

interface UserTable {
  id: string;
  name: string;
  email: string;
  emailVerified: Generated<boolean>;
  image: string | null;
  createdAt: Stamped<Date>;
  updatedAt: Generated<Date>;
}

/** A way to sign in, in the names of better-auth. */
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
}

interface IdentityVerificationTable {
  id: string;
  /** A hash. */
  identifier: string;
  value: string;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

interface AccountTable {
  id: string;
  name: string;
  kind: 'personal' | 'organization';
  plan: string;
  suspended_at: Date | null;
  created_at: Stamped<Date>;
}

interface MemberTable {
  account_id: string;
  user_id: string;
  role: Role;
  allowance: number | null;
  created_at: Stamped<Date>;
}

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
  /** Set when the account has removed it: it authorises nothing. */
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

interface CredentialKeyTable {
  run_id: string;
  account_id: string;
  key_id: string;
  wrapped_key: Buffer;
  created_at: Stamped<Date>;
}

/** A test account as sent in the request that starts a run. */
export type Credential = NonNullable<z.output<typeof endpoints.startPentest.body>['credentials']>[number];

interface CredentialTable {
  run_id: string;
  account_id: string;
  position: number;
  name: string;
  kind: NonNullable<Credential['kind']>;
  mode: NonNullable<Credential['mode']>;
  location: NonNullable<Credential['location']>;
  sealed_user: Buffer;
  sealed_pass: Buffer;
  sealed_totp_secret: Buffer | null;
  sealed_instructions: Buffer | null;
  sealed_token_url: Buffer | null;
  sealed_scope: Buffer | null;
  sealed_audience: Buffer | null;
}

interface ApiDescriptionTable {
  /** Also the `run_id` of its data key in `credential_key`. */
  id: string;
  account_id: string;
  /** The run whose start contained it; null for an import. */
  run_id: string | null;
  /** The verification that it was imported for; null for a start. */
  verification_id: string | null;
  name: string | null;
  kind: ApiDescriptionKind;
  bytes: number;
  sealed: Buffer;
  created_at: Stamped<Date>;
}

interface RetiredVaultKeyTable {
  key_id: string;
  successor_id: string;
  retired_at: Stamped<Date>;
}

interface CredentialUseTable {
  id: Generated<number>;
  run_id: string;
  used_at: Stamped<Date>;
  purpose: 'ENGINE' | 'REVEAL';
  actor: string;
  epoch: number | null;
}

interface CredentialReceiptTable {
  id: Generated<number>;
  run_id: string;
  account_id: string;
  names: string[];
  kinds: (NonNullable<Credential['kind']> | ApiDescriptionKind)[];
  sealed_at: Date;
  deleted_at: Stamped<Date>;
  reason: 'AGE' | 'OPERATOR';
  key_id: string;
}

/** The endpoints that start a run. */
export type StartEndpoint = 'POST /v1/pentests' | 'POST /v1/scans';

interface IdempotencyClaimTable {
  account_id: string;
  idempotency_key: string;
  endpoint: StartEndpoint;
  fingerprint: Buffer;
  state: 'CLAIMED' | 'CREATED' | 'DONE';
  owner: string;
  run_id: string;
  held_until: Date;
  has_failed: Generated<boolean>;
  run_created_at: Date | null;
  answer_status: number | null;
  answer_body: string | null;
  expires_at: Date | null;
}

interface PentestTable {
  id: string;
  account_id: string;
  user_id: string;
  api_key_id: string | null;
  target_id: string;
  verification_id: string;
  target_url: string;
  depth: Depth;
  expert_review: boolean;
  max_minutes: number;
  max_requests: number;
  model_budget_microdollars: number;
  status: Generated<PentestStatus>;
  created_at: Stamped<Date>;
  handed_over_at: Date | null;
  started_at: Date | null;
  completed_at: Date | null;
  lease_owner: string | null;
  lease_epoch: Generated<number>;
  lease_until: Date | null;
  attempts: Generated<number>;
  deaths: Generated<number>;
  engine_ms: Generated<number>;
  requests: Generated<number>;
  model_microdollars: Generated<number>;
  script: EngineScript | null;
  summary: string | null;
  untested: ColumnType<Untested[], string | undefined, string>;
  coverage: ColumnType<Coverage | null, string | undefined, string>;
  retested: Generated<string[] | null>;
  released_at: Date | null;
  engine_state: string | null;
}

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

interface PentestStepTable {
  pentest_id: string;
  name: string;
  phase: Phase;
  epoch: number;
  engine_ms: number;
  requests: number;
  model_microdollars: number;
  completed_at: Stamped<Date>;
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

interface StaffMemberTable {
  user_id: string;
  role: 'REVIEWER' | 'OPERATOR';
  created_at: Stamped<Date>;
}

interface ReportReviewTable {
  pentest_id: string;
  state: Generated<'WAITING' | 'TAKEN' | 'SIGNED_OFF' | 'REJECTED'>;
  reviewer_id: string | null;
  notes: Generated<string>;
  created_at: Stamped<Date>;
  taken_at: Date | null;
  decided_at: Date | null;
}

interface EngineScriptTable {
  account_id: string;
  script: ColumnType<EngineScript, string, string>;
}

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
  /** At most as many as the API lists; null for a finding of the releases before. */
  places: ColumnType<FindingPlace[] | null, string | undefined, string>;
  /** Counts all places. */
  place_count: Generated<number>;
  former_fingerprints: Generated<string[]>;
  created_at: Stamped<Date>;
  excluded_at: Date | null;
  edited_at: Date | null;
  evidence_deleted_at: Date | null;
}

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

interface RecurringJobTable {
  name: string;
  due_at: Date;
}

export interface Schema {
  service: ServiceTable;
  'identity.user': UserTable;
  'identity.account': IdentityAccountTable;
  'identity.session': IdentitySessionTable;
  'identity.verification': IdentityVerificationTable;
  account: AccountTable;
  member: MemberTable;
  target: TargetTable;
  verification: VerificationTable;
  ownership_check: OwnershipCheckTable;
  consent: ConsentTable;
  target_assignment: TargetAssignmentTable;
  api_key: ApiKeyTable;
  rate_counter: RateCounterTable;
  retired_vault_key: RetiredVaultKeyTable;
  audit_entry: AuditEntryTable;
  credit_grant: CreditGrantTable;
  credit_hold: CreditHoldTable;
  credit_slice: CreditSliceTable;
  credit_operation: CreditOperationTable;
  credit_entry: CreditEntryTable;
  credential_key: CredentialKeyTable;
  credential: CredentialTable;
  api_description: ApiDescriptionTable;
  credential_receipt: CredentialReceiptTable;
  credential_use: CredentialUseTable;
  idempotency_claim: IdempotencyClaimTable;
  pentest: PentestTable;
  pentest_finding: PentestFindingTable;
  egress: EgressTable;
  evidence: EvidenceTable;
  capsule: CapsuleTable;
  diagnostic: DiagnosticTable;
  diagnostic_total: DiagnosticTotalTable;
  listener: ListenerTable;
  outside_call: OutsideCallTable;
  pentest_step: PentestStepTable;
  charge_statement: ChargeStatementTable;
  staff_member: StaffMemberTable;
  report_review: ReportReviewTable;
  engine_script: EngineScriptTable;
  scan: ScanTable;
  scan_finding: ScanFindingTable;
  scan_opt_out: ScanOptOutTable;
  fault: FaultTable;
  sandbox_run: SandboxRunTable;
  sandbox_start: SandboxStartTable;
  recurring_job: RecurringJobTable;
}
