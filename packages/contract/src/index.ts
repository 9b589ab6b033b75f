export {
  API_DESCRIPTION_RULE,
  type ApiDescriptionKind,
  apiDescriptionKind,
  apiDescriptionKinds,
  MAX_API_DESCRIPTION_BYTES,
} from './api-description.ts';
export { CAPSULE_VERSION, Capsule, CapsuleContent, signedBytes } from './capsule.ts';
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
export type { DashboardEndpoint } from './dashboard/endpoint.ts';
export { type DashboardEndpointName, dashboardEndpoints } from './dashboard/endpoints.ts';
export type { CreatedKey, ManagedKey } from './dashboard/keys.ts';
export type { AccountOfPerson, Me, ServiceInfo } from './dashboard/me.ts';
export type { AuditLogEntry, ManagedMember } from './dashboard/members.ts';
export {
  excludedPathPattern,
  MAX_IMPORT_BYTES,
  type ManagedTarget,
  MOST_EXCLUDED_PATHS,
  type OwnershipCheck,
  timeOfDayPattern,
} from './dashboard/targets.ts';
export { apiDepths, type Depth, depths } from './depth.ts';
export {
  type Endpoint,
  type EndpointName,
  endpoints,
  errorCodesOf,
  idempotencyKeyPattern,
  type LimitClass,
} from './endpoints.ts';
export { type ErrorCode, ErrorObject, errorCodes, errors } from './errors.ts';
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
  type CreditsState,
  type FindingPlace,
  type ListPentestsResponse,
  MOST_PLACES,
  type Pentest,
  type PentestFindingDetails,
  type PentestFindingsResponse,
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
