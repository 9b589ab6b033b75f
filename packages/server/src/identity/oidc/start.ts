import { APIError, createAuthEndpoint, getSessionFromCtx } from 'better-auth/api';
import { z } from 'zod';
import { isFresh } from '../../http/fresh-session.ts';
import { authenticationOf } from '../session-store.ts';
import { challengeOf, createPending, PENDING_COOKIE, PENDING_SECONDS, writePending } from './pending.ts';
import type { SignOn } from './sign-on.ts';

const Start = z.object({ to: z.string().max(2_000).default('/'), connect: z.boolean().default(false) });

/** Resolves to the URL at which the person signs in at the provider. */
export const startEndpoint = ({ provider, redirectUri, report }: SignOn) =>
  createAuthEndpoint('/oidc/start', { method: 'POST', body: Start }, async (context) => {
    const { to, connect } = context.body;
    const target = await redirectUri();
    // The browser would not send a cookie of another host with the redirect back.
    if (context.headers?.get('origin') !== new URL(target).origin) {
      throw new APIError('BAD_REQUEST', { code: 'OTHER_ADDRESS' });
    }
    const present = await getSessionFromCtx(context);
    if (connect && !present) throw new APIError('UNAUTHORIZED');
    const session = connect ? present : null;
    if (session && !isFresh(authenticationOf(session.session))) {
      throw new APIError('FORBIDDEN', { code: 'SESSION_NOT_FRESH' });
    }
    const pending = createPending(to, session?.user.id, present !== null);
    const { state, nonce, isAgain } = pending;
    const url = await provider
      .startUrl({ redirectUri: target, state, nonce, challenge: challengeOf(pending), isAgain })
      .catch((error: unknown) => report(error));
    if (url === undefined) throw new APIError('BAD_REQUEST', { code: 'PROVIDER_AWAY' });
    const { name, attributes } = context.context.createAuthCookie(PENDING_COOKIE, { maxAge: PENDING_SECONDS });
    await context.setSignedCookie(name, writePending(pending), context.context.secret, attributes);
    return context.json({ url });
  });
