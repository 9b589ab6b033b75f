import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';

/** Adds the sign-in with a link that an operator command or the start of a demo has created. */
export const linkPlugin = () =>
  ({
    id: 'sortie-link',
    endpoints: {
      signInLink: createAuthEndpoint(
        '/sign-in/link',
        { method: 'POST', body: z.object({ token: z.string().max(200) }) },
        async (context) => {
          const { internalAdapter } = context.context;
          const identifier = `sign-in-link:${context.body.token}`;
          const found = await internalAdapter.findVerificationValue(identifier);
          const user = found && (await internalAdapter.findUserById(found.value));
          if (!user) throw new APIError('BAD_REQUEST', { code: 'INVALID_TOKEN' });
          // A stolen link must not bypass the second factor.
          if ('twoFactorEnabled' in user && user.twoFactorEnabled) {
            throw new APIError('FORBIDDEN', { code: 'SECOND_FACTOR_REQUIRED' });
          }
          // Of concurrent requests, only one gets the row.
          const consumed = await internalAdapter.consumeVerificationValue(identifier);
          if (!consumed) throw new APIError('BAD_REQUEST', { code: 'INVALID_TOKEN' });
          const session = await internalAdapter.createSession(user.id);
          await setSessionCookie(context, { session, user });
          return context.json({ user: { id: user.id, email: user.email, name: user.name } });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;
