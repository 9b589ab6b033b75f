import { changeByMember, type DashboardEndpoint, everyRole, readByMember, workers } from './endpoint.ts';
import { FindingRecord, ListAccountFindings, NewNote, SetAssignee, SetFindingState } from './findings.ts';

const findings = '/api/accounts/{accountId}/findings';
const finding = `${findings}/{findingId}`;

const change = {
  ...changeByMember,
  roles: workers,
  permission: 'pentests:write',
  answer: { status: 200, schema: FindingRecord },
  errors: ['NOT_FOUND'],
} as const;

export const findingEndpoints = {
  listAccountFindings: {
    ...readByMember,
    path: findings,
    roles: everyRole,
    permission: 'pentests:read',
    summary: 'Findings over all runs',
    description: 'Of released reports only, and of targets that are assigned to the caller.',
    answer: { status: 200, schema: ListAccountFindings },
    errors: [],
  },
  getFindingRecord: {
    ...readByMember,
    path: `${finding}/record`,
    roles: everyRole,
    permission: 'pentests:read',
    summary: 'What is known and was decided about a finding, over all runs',
    description: 'The id is that of the finding in any run.',
    answer: { status: 200, schema: FindingRecord },
    errors: ['NOT_FOUND'],
  },
  setFindingState: {
    ...change,
    path: `${finding}/state`,
    summary: 'Accept a finding until a date, mark it as a false positive, or reopen it',
    description: 'Holds for later runs on the same site of the target, too. The API and its gate do not know it.',
    body: SetFindingState,
  },
  setFindingAssignee: {
    ...change,
    path: `${finding}/assignee`,
    summary: 'Assign a finding to a member',
    description: 'To one who may read it.',
    body: SetAssignee,
  },
  addFindingNote: {
    ...change,
    path: `${finding}/notes`,
    summary: 'Add a note to a finding',
    description: 'For the members of the account. Reports do not contain it.',
    body: NewNote,
  },
} as const satisfies Record<string, DashboardEndpoint>;
