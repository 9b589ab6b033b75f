import { z } from 'zod';

const SignedInSession = z
  .object({
    id: z.string().describe('Id of the session.'),
    isCurrent: z.boolean().describe('Whether it is the session of this request.'),
    userAgent: z.string().describe('The browser, as it names itself.'),
    address: z.string().describe('The IP address of the sign-in.'),
    signedInAt: z.string().describe('Time of the sign-in.'),
    lastUsedAt: z.string().describe('Time of the last use, to the day.'),
    expiresAt: z.string().describe('The session ends at this time unless it is used before.'),
  })
  .describe('A browser in which the person has signed in.')
  .meta({ id: 'SignedInSession' });

export const ListSessionsResponse = z
  .object({ sessions: z.array(SignedInSession).describe('The current one first, then the latest sign-in first.') })
  .describe('The sessions of the person.')
  .meta({ id: 'ListSessionsResponse' });
export type ListSessionsResponse = z.infer<typeof ListSessionsResponse>;

export const EndedSessions = z
  .object({ ended: z.int().describe('How many sessions were ended.') })
  .describe('The sessions that were ended.')
  .meta({ id: 'EndedSessions' });

export const SignOn = z
  .object({ isConnected: z.boolean().describe('Whether the provider of single sign-on is connected to the person.') })
  .describe('Single sign-on of a person.');
