import { pageQuery } from '../query.ts';
import { changeByMember, type DashboardEndpoint, everyRole, managers, readByMember, workers } from './endpoint.ts';
import { LoginTried, TryLogin } from './login-try.ts';
import { Removed } from './members.ts';
import {
  ApiImport,
  Assignment,
  EngagementRules,
  ListChecksResponse,
  ListManagedTargets,
  MAX_IMPORT_BYTES,
  ManagedTarget,
  NewTarget,
  OwnershipCheck,
  SetApiRuns,
} from './targets.ts';

const targets = '/api/accounts/{accountId}/targets';
const target = `${targets}/{verificationId}`;

const change = {
  ...changeByMember,
  roles: managers,
  answer: { status: 200, schema: ManagedTarget },
  errors: ['NOT_FOUND'],
} as const;

export const targetEndpoints = {
  listManagedTargets: {
    ...readByMember,
    path: `${targets}/overview`,
    roles: everyRole,
    permission: 'pentests:read',
    summary: 'Targets with verification, last check and last run',
    description: 'Only targets that are assigned to the caller.',
    query: pageQuery,
    answer: { status: 200, schema: ListManagedTargets },
    errors: [],
  },
  getManagedTarget: {
    ...readByMember,
    path: `${target}/overview`,
    roles: everyRole,
    permission: 'pentests:read',
    summary: 'One target with all that its page shows',
    description: 'Everything about one verification.',
    answer: { status: 200, schema: ManagedTarget },
    errors: ['NOT_FOUND'],
  },
  addTarget: {
    ...change,
    path: targets,
    summary: 'Add a target, to be verified',
    description: 'Publish the `proof` of the answer, then ask for a check.',
    body: NewTarget,
    answer: { status: 201, schema: ManagedTarget },
    errors: [],
  },
  checkTarget: {
    ...changeByMember,
    path: `${target}/check`,
    roles: workers,
    permission: 'pentests:write',
    summary: 'Look for the proof of a target now',
    description:
      'A worker looks; poll the checks. A passed check verifies the target, or renews it for 90 days. A check that waits is ' +
      'not asked for twice. At most 60 an hour in an account.',
    body: 'empty',
    answer: { status: 200, schema: OwnershipCheck },
    errors: ['NOT_FOUND'],
  },
  listTargetChecks: {
    ...readByMember,
    path: `${target}/checks`,
    roles: everyRole,
    permission: 'pentests:read',
    summary: 'What the latest checks looked for and saw',
    description: 'At most 20.',
    answer: { status: 200, schema: ListChecksResponse },
    errors: ['NOT_FOUND'],
  },
  tryLogin: {
    ...changeByMember,
    path: `${target}/login-try`,
    roles: workers,
    permission: 'pentests:write',
    summary: 'Try whether a test account can log in',
    description:
      'Logs in as a pentest would, in a process of its own, and answers when it is over: within two minutes. The account is ' +
      'neither stored nor logged. Verified targets only; at most 5 an hour for a target. Free.',
    body: TryLogin,
    answer: { status: 200, schema: LoginTried },
    errors: ['NOT_FOUND'],
  },
  publishTargetProof: {
    ...change,
    path: `${target}/publish`,
    summary: 'Publish the proof on the demo target of this service',
    description: 'Replaces the proof that was published there before. Refused for every other target.',
    body: 'empty',
  },
  setTargetApiRuns: {
    ...change,
    path: `${target}/api-runs`,
    summary: 'Switch the API runs of a target on or off',
    description: 'Binds starts through the API only.',
    body: SetApiRuns,
  },
  setTargetRules: {
    ...change,
    path: `${target}/rules`,
    summary: 'Replace the rules of engagement of a target',
    description: 'A run in progress keeps the rules with which its attempt began.',
    body: EngagementRules,
  },
  assignTarget: {
    ...change,
    path: `${target}/assign`,
    summary: 'Assign a target to a member',
    description: 'Owners and admins may use all targets anyway.',
    body: Assignment,
  },
  unassignTarget: {
    ...change,
    path: `${target}/unassign`,
    summary: 'Take a target from a member',
    description: 'Runs in progress continue on the target that they were started for.',
    body: Assignment,
  },
  importApi: {
    ...change,
    path: `${target}/import`,
    summary: 'Import an API description for the runs of a target',
    description: 'Replaces an earlier one. It is encrypted, and deleted after 30 days.',
    maxBodyBytes: MAX_IMPORT_BYTES * 1.25,
    body: ApiImport,
  },
  removeApiImport: {
    ...change,
    path: `${target}/import/remove`,
    summary: 'Remove the imported API description of a target',
    description: 'A run in progress goes on with the copy that it has.',
    body: 'empty',
  },
  removeTarget: {
    ...change,
    path: `${target}/remove`,
    summary: 'Remove the verification of a target',
    description: 'Refused while a run of the target is not over. Earlier runs stay.',
    body: 'empty',
    answer: { status: 200, schema: Removed },
  },
} as const satisfies Record<string, DashboardEndpoint>;
