import { z } from 'zod';
import { permissions, roles } from '../permissions.ts';

/** Who may sign up. */
export const signUpModes = ['open', 'invitation', 'closed'] as const;
export type SignUpMode = (typeof signUpModes)[number];

export const ServiceInfo = z
  .object({
    environment: z.enum(['live', 'test']).describe('The environment of this service.'),
    signUp: z
      .enum(signUpModes)
      .describe('`open`: for all; `invitation`: with the link of an invitation; `closed`: the operator creates users.'),
    singleSignOn: z
      .object({ label: z.string().describe('What people know the provider by.') })
      .nullable()
      .describe('Null without single sign-on.'),
    demoTarget: z
      .string()
      .nullable()
      .describe('Origin of a small shop with planted flaws to try everything on; null without one.'),
    sendsMail: z.boolean().describe('Whether this service sends mails; otherwise the operator passes links on.'),
  })
  .describe('What a page has to know before the sign-in.')
  .meta({ id: 'ServiceInfo' });
export type ServiceInfo = z.infer<typeof ServiceInfo>;

export const AccountOfPerson = z
  .object({
    id: z.string().describe('Id of the account: the `accountId` of paths.'),
    name: z.string().describe('Name of the account.'),
    kind: z.enum(['personal', 'organization']).describe('An organization can have several members.'),
    plan: z.string().describe("Name of the account's plan."),
    role: z.enum(roles).describe('Role of the person in the account.'),
    permissions: z.array(z.enum(permissions)).describe('What the role permits.'),
    suspended: z.boolean().describe('Whether the operator has suspended the account; its data cannot be read then.'),
  })
  .describe('An account that the person is a member of.')
  .meta({ id: 'AccountOfPerson' });
export type AccountOfPerson = z.infer<typeof AccountOfPerson>;

export const Me = z
  .object({
    user: z
      .object({
        id: z.string().describe('Id of the person.'),
        name: z.string().describe('Name of the person.'),
        email: z.string().describe('E-mail address, with which the person signs in.'),
        staff: z.enum(['REVIEWER', 'OPERATOR']).nullable().describe('Role among the staff of this service, if any.'),
      })
      .describe('The person who has signed in.'),
    accounts: z.array(AccountOfPerson).describe('Personal account first, then by name.'),
    service: ServiceInfo,
    allows: z
      .object({ createOrganization: z.boolean().describe('Whether the person may create another organization.') })
      .describe('What the settings of this service let the person do.'),
  })
  .describe('The person who has signed in, with their accounts.')
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;
