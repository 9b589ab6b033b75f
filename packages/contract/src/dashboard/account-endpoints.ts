import { z } from 'zod';
import { instantQuery, pageQuery } from '../query.ts';
import { changeByMember, type DashboardEndpoint, everyRole, managers, readByMember } from './endpoint.ts';
import { CreatedKey, ListKeysResponse, ManagedKey, NewKey, RollKey } from './keys.ts';
import {
  ListAuditResponse,
  ListMembersResponse,
  ManagedMember,
  NameAccount,
  NamedAccount,
  Removed,
  SetAllowance,
  SetRole,
} from './members.ts';

const account = '/api/accounts/{accountId}';

const auditQuery = {
  action: z
    .string()
    .max(100, 'must not be longer than 100 characters')
    .optional()
    .describe('Only this action, or with a final dot the actions of a kind: `key.`.'),
  actor: z.string().max(100, 'must not be longer than 100 characters').optional().describe('Only this user id.'),
  from: instantQuery.describe('Only entries from this instant on.'),
  to: instantQuery.describe('Only entries before this instant.'),
  order: z
    .enum(['newest', 'oldest'], 'must be newest or oldest')
    .default('newest')
    .describe('Which entries come first.'),
  ...pageQuery,
};

export const accountEndpoints = {
  listKeys: {
    ...readByMember,
    path: `${account}/keys`,
    roles: everyRole,
    summary: 'API keys with their use',
    description: 'Owners and admins see all keys of the account, others their own.',
    answer: { status: 200, schema: ListKeysResponse },
    errors: [],
  },
  createKey: {
    ...changeByMember,
    path: `${account}/keys`,
    roles: everyRole,
    fresh: true,
    summary: 'Create an API key',
    description:
      'The key acts for the person who creates it and can do no more than their role. Its text is answered once.',
    body: NewKey,
    answer: { status: 201, schema: CreatedKey },
    errors: ['PLAN_LIMIT_EXCEEDED'],
  },
  rollKey: {
    ...changeByMember,
    path: `${account}/keys/{keyId}/roll`,
    roles: everyRole,
    fresh: true,
    summary: 'Replace an own API key by a new one',
    description:
      'The new key has the name, the permissions and the budget of the old one, which both share; the old one stops ' +
      'working at the given time.',
    body: RollKey,
    answer: { status: 201, schema: CreatedKey },
    errors: ['NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
  },
  revokeKey: {
    ...changeByMember,
    path: `${account}/keys/{keyId}/revoke`,
    roles: everyRole,
    summary: 'Revoke an API key',
    description: 'Runs in progress continue. Members revoke their own keys, owners and admins any.',
    body: 'empty',
    answer: { status: 200, schema: ManagedKey },
    errors: ['NOT_FOUND'],
  },
  listMembers: {
    ...readByMember,
    path: `${account}/members`,
    roles: everyRole,
    summary: 'Members with their roles and allowances',
    description: 'Every member sees who else is one.',
    answer: { status: 200, schema: ListMembersResponse },
    errors: [],
  },
  setMemberRole: {
    ...changeByMember,
    path: `${account}/members/{userId}/role`,
    roles: managers,
    fresh: true,
    summary: 'Change the role of a member',
    description: 'Only owners change the role of an owner or make one. An account keeps at least one owner.',
    body: SetRole,
    answer: { status: 200, schema: ManagedMember },
    errors: ['NOT_FOUND'],
  },
  setMemberAllowance: {
    ...changeByMember,
    path: `${account}/members/{userId}/allowance`,
    roles: managers,
    fresh: true,
    summary: 'Change the monthly allowance of a member',
    description: 'Only owners change the allowance of an owner.',
    body: SetAllowance,
    answer: { status: 200, schema: ManagedMember },
    errors: ['NOT_FOUND'],
  },
  removeMember: {
    ...changeByMember,
    path: `${account}/members/{userId}/remove`,
    roles: everyRole,
    summary: 'Remove a member, or leave the account',
    description: "Stops the member's keys at once. Runs in progress continue. Any member but the last owner may leave.",
    body: 'empty',
    answer: { status: 200, schema: Removed },
    errors: ['NOT_FOUND'],
  },
  renameAccount: {
    ...changeByMember,
    path: `${account}/name`,
    roles: managers,
    summary: 'Rename the account',
    description: 'The name is shown to its members, and in invitations.',
    body: NameAccount,
    answer: { status: 200, schema: NamedAccount },
    errors: [],
  },
  listAudit: {
    ...readByMember,
    path: `${account}/audit`,
    roles: managers,
    summary: 'The audit log of the account',
    description: 'Who changed what. Entries of the expert review are left out.',
    query: auditQuery,
    answer: { status: 200, schema: ListAuditResponse },
    errors: [],
  },
} as const satisfies Record<string, DashboardEndpoint>;
