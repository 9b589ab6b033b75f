import { createAuthEndpoint, getSessionFromCtx } from 'better-auth/api';
import { expireCookie, setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { isFresh } from '../../http/fresh-session.ts';
import { findSignOnUser, type SignOnProblem } from './find-user.ts';
import { PENDING_COOKIE, readPending } from './pending.ts';
import { ProviderError } from './provider.ts';
import { CALLBACK_PATH, type SignOn } from './sign-on.ts';

/** The time of authentication if the provider does not send one. */
const NEVER = new Date(0);

const Answer = z.object({
  code: z.string().max(4_000).optional(),
  state: z.string().max(200).optional(),
  iss: z.string().max(2_000).optional(),
});

/** The redirect target of the provider: creates a session, or redirects to a page with the reason for the refusal. */
export const finishEndpoint = ({ database, settings, provider, redirectUri, report, onSignIn }: SignOn) =>
  createAuthEndpoint(CALLBACK_PATH, { method: 'GET', query: Answer }, async (context) => {
    const { internalAdapter, secret, createAuthCookie } = context.context;
    const cookie = createAuthCookie(PENDING_COOKIE);
    const { code, state, iss } = context.query;
    const pending = readPending(await context.getSignedCookie(cookie.name, secret), state);
    expireCookie(context, cookie);
    const fail = (problem: SignOnProblem) => {
      const page = pending?.connecting === undefined ? '/sign-in' : pending.to;
      const to = pending && pending.to !== '/' && page !== pending.to ? `&to=${encodeURIComponent(pending.to)}` : '';
      return context.redirect(`${page}?problem=${problem}${to}`);
    };
    if (!pending) throw fail('expired');
    const { connecting, verifier, nonce, isAgain } = pending;
    // RFC 9207: refuses the response of another provider.
    if (code === undefined || (iss !== undefined && iss !== settings.issuer)) throw fail('provider');
    const session = connecting === undefined ? null : await getSessionFromCtx(context);
    if (session?.user.id !== connecting) throw fail('expired');
    const identity = await provider
      .redeem({ code, redirectUri: await redirectUri(), verifier, nonce })
      .catch((error: unknown) => report(error));
    if (!identity) throw fail('provider');
    // Otherwise the provider would make an unattended browser fresh for as long as its own session lasts.
    const { authenticatedAt = NEVER } = identity;
    if (isAgain && connecting === undefined && !isFresh(authenticatedAt)) {
      report(new ProviderError('the ID token has no auth_time of the last 15 minutes, although prompt=login was sent'));
      throw fail('not-fresh');
    }
    const found = await findSignOnUser(database, { identity, settings, connecting });
    if ('problem' in found) throw fail(found.problem);
    if (connecting === undefined) {
      const user = await internalAdapter.findUserById(found.userId);
      if (!user) throw fail('unknown');
      const session = await internalAdapter.createSession(user.id, false, { authenticatedAt });
      await setSessionCookie(context, { session, user });
      await onSignIn(user.id);
    }
    throw context.redirect(pending.to);
  });
