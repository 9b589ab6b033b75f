import { z } from 'zod';
import { CreditCap } from '../credits.ts';
import { roles } from '../permissions.ts';
import { NextOffset } from '../query.ts';
import { Timestamp } from '../timestamp.ts';
import { MonthlyCap, ShortText } from './words.ts';

export const ManagedMember = z
  .object({
    userId: z.string().describe('Id of the member.'),
    name: z.string().describe('Name of the member.'),
    email: z.string().describe('E-mail address of the member.'),
    role: z.enum(roles).describe('Role in the account.'),
    allowance: CreditCap.nullable().describe('Monthly cap of the member; null: none.'),
    usedThisMonth: z
      .int()
      .describe('Reserved minus returned, of the runs that the member started in this month (UTC).'),
    assignedTargets: z.int().describe('How many targets are assigned. Owners and admins may use all of them anyway.'),
    joinedAt: Timestamp.describe('When the person became a member.'),
  })
  .describe('A member of the account.')
  .meta({ id: 'ManagedMember' });
export type ManagedMember = z.infer<typeof ManagedMember>;

export const ListMembersResponse = z
  .object({ members: z.array(ManagedMember).describe('Oldest membership first.') })
  .describe('The members of an account.');

export const SetRole = z
  .strictObject({ role: z.enum(roles).describe('The new role.') })
  .describe('A change of a role.');

export const SetAllowance = z
  .strictObject({ allowance: MonthlyCap.describe('Credits per month; null: no cap.') })
  .describe('A change of an allowance.');

export const NameAccount = z.strictObject({ name: ShortText.describe('The name.') }).describe('A name of an account.');

export const NamedAccount = z
  .object({ id: z.string().describe('Id of the account.'), name: z.string().describe('Name of the account.') })
  .describe('An account.');

export const Removed = z
  .object({ removed: z.literal(true).describe('What the request named is gone.') })
  .describe('Confirms a removal.');

export const AuditLogEntry = z
  .object({
    id: z.int().describe('Number of the entry.'),
    at: Timestamp.describe('When it happened.'),
    actor: z
      .object({
        kind: z.enum(['member', 'operator', 'service']).describe('`operator`: the people who run this service.'),
        userId: z.string().nullable().describe('Id of the member.'),
        name: z.string().nullable().describe('Name of a current member, else null.'),
      })
      .describe('Who did it.'),
    action: z.string().describe('What was done, such as `key.created`.'),
    subject: z.string().describe('Id of what was changed.'),
    details: z.record(z.string(), z.unknown()).describe('The change; never a secret.'),
  })
  .describe('An entry of the audit log.')
  .meta({ id: 'AuditLogEntry' });
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

export const ListAuditResponse = z
  .object({ entries: z.array(AuditLogEntry).describe('In the order asked for.'), nextOffset: NextOffset })
  .describe('One page of the audit log.');
export type ListAuditResponse = z.infer<typeof ListAuditResponse>;
