import { AsyncLocalStorage } from 'node:async_hooks';
import type { SignUpMode } from '@sortie/contract';
import type { Catalogue } from '../billing/catalogue.ts';
import type { Database } from '../db/database.ts';
import type { Person } from '../http/admission.ts';
import { FRESH_SECONDS } from '../http/fresh-session.ts';
import type { Log } from '../platform/log.ts';
import { newId, randomBase62 } from '../platform/new-id.ts';
import type { OidcSettings } from '../platform/oidc-settings.ts';
import { deriveKey, type ServiceKey } from '../secrets/service-secrets.ts';
import { hashTokens } from './hash-tokens.ts';
import { type CreatedSession, endSignInsUnderWay } from './outlived.ts';
import { endResets, recordSignOn } from './record-sign-in.ts';
import { authenticationOf, type LibrarySession } from './session-store.ts';
import { ensureAccount } from './sign-up.ts';

export interface Auth {
  /** Handles a request below `/api/auth`. Also resolves to the sessions that the request created. */
  handle(request: Request): Promise<{ response: Response; sessions: readonly CreatedSession[] }>;
  /** Resolves to the person of the session in the cookie; undefined if there is none. */
  findSession(headers: Headers): Promise<Person | undefined>;
}

export interface AuthOptions {
  database: Database;
  catalogue: Catalogue;
  signUp: SignUpMode;
  /** Null without single sign-on. */
  oidc: OidcSettings | null;
  /** Whether browsers reach the service over https, so that cookies are marked `Secure`. */
  isHttps: boolean;
  fingerprintKey: ServiceKey;
  log: Log;
}

/** Header that passes on the client's address. A header of this name from the client is replaced. */
export const ADDRESS_HEADER = 'x-sortie-client-address';

export const BASE_PATH = '/api/auth';

const DAY_S = 86_400;

/**
 * Sign-in attempts per address and minute; an office may share one address. Failures are also limited per e-mail
 * address.
 */
const SIGN_IN_LIMIT = { window: 60, max: 60 };
const SIGN_IN_LIMITS = { '/sign-in/*': SIGN_IN_LIMIT, '/sign-up/*': SIGN_IN_LIMIT, '/oidc/*': SIGN_IN_LIMIT };

/** The sessions that the current request created. */
const created = new AsyncLocalStorage<CreatedSession[]>();

/**
 * Creates the sign-in. Loads the library when it is first needed: that takes half a second, and most nodes serve API
 * keys only.
 */
export function createAuth(options: AuthOptions): Auth {
  let loaded: ReturnType<typeof load> | undefined;
  const auth = () => {
    loaded ??= load(options);
    return loaded;
  };
  return {
    async handle(request) {
      const sessions: CreatedSession[] = [];
      const response = await created.run(sessions, async () => (await auth()).handler(request));
      return { response, sessions };
    },
    async findSession(headers) {
      // Without a session cookie there is no session. Returns early, so that a scanner's requests do not load the
      // library.
      if (!/(?:^|;\s*)(?:__Host-)?sortie\.session_token=/.test(headers.get('cookie') ?? '')) return undefined;
      const found = await (await auth()).api.getSession({ headers, query: { disableCookieCache: true } });
      return found ? toPerson(found.session) : undefined;
    },
  };
}

const toPerson = (session: LibrarySession): Person => ({
  userId: session.userId,
  session: { id: session.id, authenticatedAt: authenticationOf(session) },
});

async function load({ database, catalogue, signUp, oidc, isHttps, fingerprintKey, log }: AuthOptions) {
  const [{ betterAuth }, { kyselyAdapter }, { linkPlugin }, { codes, createCodeUse, passkeys }, { signOnPlugin }] =
    await Promise.all([
      import('better-auth'),
      import('@better-auth/kysely-adapter'),
      import('./link-plugin.ts'),
      import('./second-factor.ts'),
      import('./oidc/plugin.ts'),
    ]);
  const adapter = kyselyAdapter(database.queries.withSchema('identity'), { type: 'postgres', transaction: true });
  const useCode = createCodeUse(database.pool, fingerprintKey);
  const tokenKey = deriveKey(fingerprintKey, 'sortie session tokens');
  return betterAuth({
    appName: 'Sortie',
    basePath: BASE_PATH,
    secret: deriveKey(fingerprintKey, 'sortie sign-in').export().toString('base64'),
    database: (options: Parameters<typeof adapter>[0]) => hashTokens(adapter(options), tokenKey),
    emailAndPassword: {
      enabled: true,
      disableSignUp: signUp === 'closed',
      minPasswordLength: 10,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }) => {
        await endResets(database, user.id);
        await endSignInsUnderWay(database.pool, user.id);
      },
    },
    session: {
      expiresIn: 7 * DAY_S,
      updateAge: DAY_S,
      freshAge: FRESH_SECONDS,
      additionalFields: { authenticatedAt: { type: 'date', required: false, input: false } },
    },
    verification: { storeIdentifier: 'hashed' },
    rateLimit: { enabled: true, storage: 'database', window: 60, max: 300, customRules: SIGN_IN_LIMITS },
    plugins: [
      linkPlugin(),
      codes(),
      passkeys(),
      ...(oidc
        ? [signOnPlugin({ database, settings: oidc, log, onSignIn: (userId) => recordSignOn(database, userId) })]
        : []),
    ],
    telemetry: { enabled: false },
    advanced: {
      // The library itself supports only `__Secure-`, with which another host of the domain could set the cookie.
      cookiePrefix: isHttps ? '__Host-sortie' : 'sortie',
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isHttps },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: ({ model }) => (model === 'user' ? newId('usr') : randomBase62(24)) },
    },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }, context) => {
            if (context?.path === '/two-factor/verify-totp') await useCode(String(userId), String(context.body?.code));
          },
          after: async ({ id, userId }) => {
            created.getStore()?.push({ id, userId });
            await ensureAccount(database, catalogue, userId);
          },
        },
      },
    },
    logger: {
      level: 'error',
      // The library's message may contain what the visitor sent.
      log: () => log.error('sign-in failed'),
    },
  });
}
