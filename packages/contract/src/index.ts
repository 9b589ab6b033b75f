export {
  API_DESCRIPTION_RULE,
  type ApiDescriptionKind,
  apiDescriptionKind,
  apiDescriptionKinds,
  MAX_API_DESCRIPTION_BYTES,
} from './api-description.ts';
export {
  CAPSULE_VERSION,
  Capsule,
  CapsuleContent,
  type CapsulePlace,
  MOST_OTHER_PLACES,
  signedBytes,
} from './capsule.ts';
export { type Coverage, coverageStatuses } from './coverage.ts';
export {
  type CreditPart,
  type CreditSource,
  type CreditsBalance,
  type CreditsUsage,
  creditParts,
  creditSources,
  type LevelsResponse,
  type UsageRecord,
  type UsageType,
} from './credits.ts';
export type { DeviceLoginOutcome, PendingDeviceLogin, StartedDeviceLogin } from './dashboard/devices.ts';
export type { DashboardEndpoint } from './dashboard/endpoint.ts';
export { type DashboardEndpointName, dashboardEndpoints } from './dashboard/endpoints.ts';
export {
  type AccountFinding,
  type FindingEvent,
  type FindingRecord,
  type FindingState,
  findingStates,
  MOST_FINDINGS,
} from './dashboard/findings.ts';
export { type FirstStep, firstSteps, type GettingStarted } from './dashboard/home.ts';
export type { CreatedInvitation, InvitationForGuest, ManagedInvitation } from './dashboard/invitations.ts';
export type { CreatedKey, ManagedKey } from './dashboard/keys.ts';
export { type LiveChange, LiveChanges, type LiveTopic, liveTopics } from './dashboard/live.ts';
export { LOGIN_TRIES, type LoginTried } from './dashboard/login-try.ts';
export {
  type AccountOfPerson,
  type Me,
  type ServiceInfo,
  type SignUpMode,
  signUpModes,
} from './dashboard/me.ts';
export type { AuditLogEntry, ManagedMember } from './dashboard/members.ts';
export {
  type FindingRetest,
  MOST_RETESTED,
  RETESTS_PER_HOUR,
  type Retest,
  type RetestOutcome,
} from './dashboard/retests.ts';
export {
  type ReportFormat,
  type RunActivity,
  type RunProgress,
  type RunStatement,
  reportFormats,
  type StartRun,
} from './dashboard/runs.ts';
export {
  excludedPathPattern,
  MAX_IMPORT_BYTES,
  type ManagedTarget,
  MOST_EXCLUDED_PATHS,
  type OwnershipCheck,
  timeOfDayPattern,
} from './dashboard/targets.ts';
export { ShortText } from './dashboard/words.ts';
export { apiDepths, type Depth, depths } from './depth.ts';
export type { Endpoint, LimitClass } from './endpoint.ts';
export { type EndpointName, endpoints, errorCodesOf, idempotencyKeyPattern } from './endpoints.ts';
export { type ErrorCode, ErrorObject, errorCodes, errors } from './errors.ts';
export { Experiment, type ExperimentOracle, type ExperimentStep, experimentClasses } from './experiment.ts';
export type { FindingCounts } from './finding-counts.ts';
export { type InsertionPoint, titleWithMorePlaces, titleWithoutPlace, titleWithPlace } from './finding-title.ts';
export { fingerprintsOf, ownFingerprintsOf } from './fingerprints.ts';
export { type FindingHistory, findingHistories } from './history.ts';
export type { ApiKey } from './key.ts';
export { buildOpenApi } from './openapi.ts';
export type { OpenApiDocument } from './openapi-document.ts';
export { owaspCategory } from './owasp.ts';
export { type ParameterLocation, parameterLocations } from './parameter-location.ts';
export {
  type FindingPlace,
  MOST_PLACES,
  type PentestFindingDetails,
  type PentestFindingsResponse,
} from './pentest-findings.ts';
export {
  type CreditsState,
  type ListPentestsResponse,
  type Pentest,
  type PentestStatus,
  type PentestSummaryResponse,
  pentestStatuses,
  type StartPentest,
  type Untested,
} from './pentests.ts';
export { type Permission, permissions, type Role, rolePermissions, roles } from './permissions.ts';
export { isListQuery, queryMeta } from './query.ts';
export { rateLimits } from './rate-limits.ts';
export type { ListScansResponse, Scan, ScanFindingsResponse } from './scans.ts';
export { Confidence, confidences, Severity, severities } from './severity.ts';
export type { ListTargetsResponse, Target } from './targets.ts';
