import { z } from 'zod';
import { Credential } from '../credentials.ts';
import { StartPentest } from '../pentests.ts';

/** How often the login of test accounts may be tried, per target. */
export const LOGIN_TRIES = { requests: 5, seconds: 3_600 } as const;

export const TryLogin = z
  .strictObject({ targetUrl: StartPentest.shape.targetUrl, credential: Credential })
  .describe('A test account to log in with, as a pentest of this URL would.');
export type TryLogin = z.infer<typeof TryLogin>;

export const LoginTried = z
  .object({
    loggedIn: z.boolean().describe('Whether the account could log in, and the target showed it.'),
    outcome: z.string().describe('`LOGGED_IN`, or why not: for example `USER_OR_PASSWORD` or `NO_LOGIN`.'),
    message: z.string().describe('What the target answered, and what to do.'),
    requests: z.int().min(0).describe('Requests that were sent to the target.'),
  })
  .describe('What became of a login try.')
  .meta({ id: 'LoginTried' });
export type LoginTried = z.infer<typeof LoginTried>;
