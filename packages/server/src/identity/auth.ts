import type { Catalogue } from '../billing/catalogue.ts';
import type { Environment } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Person } from '../http/admission.ts';
import { FRESH_SECONDS } from '../http/fresh-session.ts';
import type { Log } from '../platform/log.ts';
import { newId, randomBase62 } from '../platform/new-id.ts';
import { deriveKey, type ServiceKey } from '../secrets/service-secrets.ts';
import { hashTokens } from './hash-tokens.ts';
import { ensureAccount } from './sign-up.ts';

export interface Auth {
  /** Answers the requests below `/api/auth`. */
  handle(request: Request): Promise<Response>;
  /** Resolves with the person whose session the cookie names, or undefined. */
  findSession(headers: Headers): Promise<Person | undefined>;
}

export interface AuthOptions {
  database: Database;
  catalogue: Catalogue;
  environment: Environment;
  /** Whether browsers reach the service over https, so that cookies are sent there only. */
  isHttps: boolean;
  fingerprintKey: ServiceKey;
  log: Log;
}

/** The header in which the client's address is passed on; a client's own header of this name is replaced. */
export const ADDRESS_HEADER = 'x-sortie-client-address';

export const BASE_PATH = '/api/auth';

const DAY_S = 86_400;

/** Attempts of one address per minute: an office may share one. Failures are limited per e-mail address as well. */
const PASSWORD_RULES = { '/sign-in/*': { window: 60, max: 60 }, '/sign-up/*': { window: 60, max: 60 } };

/** What the dashboard does not use, and what it does itself: the library's list of sessions has their tokens. */
const DISABLED = [
  '/account-info',
  '/error',
  '/get-access-token',
  '/link-social',
  '/list-sessions',
  '/refresh-token',
  '/revoke-session',
  '/revoke-sessions',
  '/revoke-other-sessions',
  '/two-factor/send-otp',
  '/two-factor/verify-otp',
  '/unlink-account',
  '/update-session',
];

/** Loads the library when it is first needed: it takes half a second, and most nodes serve API keys only. */
export function createAuth(options: AuthOptions): Auth {
  let loaded: ReturnType<typeof load> | undefined;
  const auth = () => {
    loaded ??= load(options);
    return loaded;
  };
  return {
    handle: async (request) => (await auth()).handler(request),
    async findSession(headers) {
      // Not every visitor has a session, and a scanner's requests must not load the library.
      if (!/(?:^|;\s*)(?:__Secure-)?sortie\.session_token=/.test(headers.get('cookie') ?? '')) return undefined;
      const found = await (await auth()).api.getSession({ headers, query: { disableCookieCache: true } });
      return found ? toPerson(found.session) : undefined;
    },
  };
}

const toPerson = ({ id, userId, createdAt }: { id: string; userId: string; createdAt: Date }): Person => ({
  userId,
  session: { id, signedInAt: createdAt },
});

async function load({ database, catalogue, environment, isHttps, fingerprintKey, log }: AuthOptions) {
  const [{ betterAuth }, { kyselyAdapter }, { linkPlugin }, { codes, passkeys }] = await Promise.all([
    import('better-auth'),
    import('@better-auth/kysely-adapter'),
    import('./link-plugin.ts'),
    import('./second-factor.ts'),
  ]);
  const adapter = kyselyAdapter(database.queries.withSchema('identity'), { type: 'postgres', transaction: true });
  const tokenKey = deriveKey(fingerprintKey, 'sortie session tokens');
  return betterAuth({
    appName: 'Sortie',
    basePath: BASE_PATH,
    secret: deriveKey(fingerprintKey, 'sortie sign-in').export().toString('base64'),
    database: (options: Parameters<typeof adapter>[0]) => hashTokens(adapter(options), tokenKey),
    emailAndPassword: {
      enabled: true,
      disableSignUp: environment === 'live',
      minPasswordLength: 10,
      revokeSessionsOnPasswordReset: true,
    },
    session: { expiresIn: 7 * DAY_S, updateAge: DAY_S, freshAge: FRESH_SECONDS },
    verification: { storeIdentifier: 'hashed' },
    rateLimit: { enabled: true, storage: 'database', window: 60, max: 300, customRules: PASSWORD_RULES },
    disabledPaths: DISABLED,
    plugins: [linkPlugin(), codes(), passkeys()],
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: 'sortie',
      useSecureCookies: isHttps,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: ({ model }) => (model === 'user' ? newId('usr') : randomBase62(24)) },
    },
    databaseHooks: {
      session: { create: { after: ({ userId }) => ensureAccount(database, catalogue, userId) } },
    },
    logger: {
      level: 'error',
      // The library's message may contain what the visitor sent.
      log: () => log.error('sign-in failed'),
    },
  });
}
