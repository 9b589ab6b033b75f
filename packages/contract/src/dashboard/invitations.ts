import { z } from 'zod';
import { roles } from '../permissions.ts';
import { Timestamp } from '../timestamp.ts';

export const ManagedInvitation = z
  .object({
    id: z.string().describe('Id of the invitation.'),
    email: z.string().describe('E-mail address of the person who is invited.'),
    role: z.enum(roles).describe('The role that the person gets.'),
    invitedBy: z
      .object({ userId: z.string().describe('Id of the member.'), name: z.string().describe('Name of the member.') })
      .describe('Who invited the person.'),
    createdAt: Timestamp.describe('When the person was invited.'),
    expiresAt: Timestamp.describe('The link works until then.'),
    isExpired: z.boolean().describe('Whether the link has expired. Invite the person again.'),
  })
  .describe('An invitation that has been neither accepted nor revoked.')
  .meta({ id: 'ManagedInvitation' });
export type ManagedInvitation = z.infer<typeof ManagedInvitation>;

export const ListInvitationsResponse = z
  .object({ invitations: z.array(ManagedInvitation).describe('Newest first.') })
  .describe('Open invitations.');

/** The longest address that mail servers accept. */
const MAX_ADDRESS = 254;

export const EmailAddress = z
  .email('must be an e-mail address')
  .max(MAX_ADDRESS, `must not be longer than ${MAX_ADDRESS} characters`);

export const NewInvitation = z
  .strictObject({
    email: EmailAddress.describe('E-mail address of the person.'),
    role: z.enum(roles).describe('The role that the person gets. Only owners invite owners.'),
  })
  .describe('A person to invite.');

export const CreatedInvitation = z
  .object({
    link: z.string().describe('The link to pass on. It works once, for this e-mail address; it is answered only now.'),
    isMailed: z.boolean().describe('Whether the service sends the link by mail, too.'),
    record: ManagedInvitation,
  })
  .describe('An invitation that was just created.');
export type CreatedInvitation = z.infer<typeof CreatedInvitation>;

export const InvitationToken = z
  .strictObject({ token: z.string().max(200, 'must not be longer than 200 characters').describe('From the link.') })
  .describe('The holder of an invitation.');

export const InvitationForGuest = z
  .object({
    account: z.string().describe('Name of the account.'),
    invitedBy: z.string().describe('Name of the member who invited the person.'),
    email: z.string().describe('The e-mail address with which the person signs in or up.'),
    role: z.enum(roles).describe('The role that the person gets.'),
    expiresAt: Timestamp.describe('The link works until then.'),
  })
  .describe('An invitation, as its holder sees it.')
  .meta({ id: 'InvitationForGuest' });
export type InvitationForGuest = z.infer<typeof InvitationForGuest>;

export const AcceptedInvitation = z
  .object({ accountId: z.string().describe('Id of the account of which the person is a member now.') })
  .describe('Confirms that an invitation was accepted.');
