export { BaselineError, type BaselineOptions } from './baseline.ts';
export { type Client, createClient } from './client.ts';
export type { Clock } from './clock.ts';
export {
  type Confidence,
  confidences,
  type ErrorCode,
  errorCodes,
  type PentestStatus,
  pentestStatuses,
  type Severity,
  severities,
} from './contract.ts';
export type { Credits } from './credits.ts';
export { ApiError, isKnownCode, TransportError, type TransportFailure } from './errors.ts';
export type { Fetch, FetchAnswer, FetchRequest } from './fetch.ts';
export type { CallOptions, ClientOptions, Retry, StartOptions } from './options.ts';
export type { Pages } from './pages.ts';
export type { Pentests } from './pentests.ts';
export { type AppliedPolicy, countingFindings, fingerprintsOf, isKnown, type Policy, readPolicy } from './policy.ts';
export type { Proofs, ProofsOptions, ProvedFinding } from './read-proofs.ts';
export { type FindingsReport, readReport } from './read-report.ts';
export type { Scans } from './scans.ts';
export { createSecret, type Secret } from './secret.ts';
export type { Targets } from './targets.ts';
export type {
  Answer,
  ApiKey,
  CancelledPentest,
  Coverage,
  Credential,
  CreditsBalance,
  CreditsUsage,
  Exchange,
  Level,
  Levels,
  OpenEnum,
  Pentest,
  PentestFinding,
  PentestFindingDetails,
  PentestFindings,
  PentestList,
  PentestSummary,
  Query,
  RateLimit,
  Scan,
  ScanFinding,
  ScanFindings,
  ScanList,
  StartAnswer,
  StartedPentest,
  StartedScan,
  StartPentest,
  StartScan,
  Target,
  TargetList,
  Untested,
  UsageRecord,
} from './types.ts';
export type { Waited, WaitOptions } from './wait.ts';
export type { Judgement, JudgementOptions, JudgementProgress, UndecidedReason } from './wait-for-judgement.ts';
export type { ScanJudgement, ScanPolicy, ScanProgress, ScanWaitOptions } from './wait-for-scan.ts';
