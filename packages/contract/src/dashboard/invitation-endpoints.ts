import { changeByMember, type DashboardEndpoint, managers, readByMember } from './endpoint.ts';
import {
  AcceptedInvitation,
  CreatedInvitation,
  InvitationForGuest,
  InvitationToken,
  ListInvitationsResponse,
  NewInvitation,
} from './invitations.ts';
import { Removed } from './members.ts';

const account = '/api/accounts/{accountId}';

const byToken = {
  method: 'POST',
  roles: [],
  fresh: false,
  permission: null,
  limit: 'write',
  idempotent: false,
  query: {},
  body: InvitationToken,
} as const;

export const invitationEndpoints = {
  listInvitations: {
    ...readByMember,
    path: `${account}/invitations`,
    roles: managers,
    summary: 'Open invitations',
    description: 'Without their links, of which only hashes are stored.',
    answer: { status: 200, schema: ListInvitationsResponse },
    errors: [],
  },
  createInvitation: {
    ...changeByMember,
    path: `${account}/invitations`,
    roles: managers,
    fresh: true,
    summary: 'Invite a person to the account',
    description:
      'The link works for seven days, while the person who invited may still do so. Another invitation of the same ' +
      'address replaces the earlier one.',
    body: NewInvitation,
    answer: { status: 201, schema: CreatedInvitation },
    errors: ['PLAN_LIMIT_EXCEEDED'],
  },
  revokeInvitation: {
    ...changeByMember,
    path: `${account}/invitations/{invitationId}/revoke`,
    roles: managers,
    summary: 'Revoke an invitation',
    description: 'Its link stops working at once.',
    body: 'empty',
    answer: { status: 200, schema: Removed },
    errors: ['NOT_FOUND'],
  },
  readInvitation: {
    ...byToken,
    path: '/api/invitations/read',
    caller: 'anyone',
    summary: 'The invitation of a link',
    description: 'Changes nothing, so that programs which preview links do not use it up.',
    answer: { status: 200, schema: InvitationForGuest },
    errors: [],
  },
  acceptInvitation: {
    ...byToken,
    path: '/api/invitations/accept',
    caller: 'person',
    summary: 'Become a member by an invitation',
    description: 'The person must be signed in with the e-mail address that was invited.',
    answer: { status: 200, schema: AcceptedInvitation },
    errors: [],
  },
} as const satisfies Record<string, DashboardEndpoint>;
