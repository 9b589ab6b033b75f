import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import { FRESH_SECONDS } from '../../http/fresh-session.ts';
import { isSafeProviderUrl, type OidcSettings } from '../../platform/oidc-settings.ts';

/** A person as identified by the provider. */
export interface Identity {
  subject: string;
  name: string | undefined;
  /** Undefined unless the provider has verified it. */
  email: string | undefined;
  /** When the person proved their identity to the provider; undefined if it does not say. */
  authenticatedAt: Date | undefined;
}

interface Request {
  redirectUri: string;
  state: string;
  nonce: string;
  /** The challenge of PKCE. */
  challenge: string;
  /** Whether the provider must ask for the password although the person is signed in there, and report when it did. */
  isAgain: boolean;
}

export interface Provider {
  /** Resolves to the URL at which the person signs in. */
  startUrl(request: Request): Promise<string>;
  /** Reads the metadata. Throws a `ProviderError` if that fails. */
  check(): Promise<void>;
  /** Resolves to the identity for a code. Throws a `ProviderError` unless all claims match. */
  redeem(answer: { code: string; redirectUri: string; verifier: string; nonce: string }): Promise<Identity>;
}

/**
 * The provider does not respond, or its response is invalid. The message contains neither a secret nor the response.
 */
export class ProviderError extends Error {}

const endpoint = z.string().refine(isSafeProviderUrl);

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
});
type Metadata = z.output<typeof Metadata>;

const Tokens = z.object({ id_token: z.string(), access_token: z.string().optional() });

const Claims = z.object({
  sub: z.string().min(1).max(255),
  name: z.string().optional().catch(undefined),
  email: z.string().optional().catch(undefined),
  // Some providers send a string instead of a boolean.
  email_verified: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
    .optional()
    .catch(undefined),
  auth_time: z.number().optional().catch(undefined),
});

/**
 * Asymmetric algorithms only: with a symmetric one the key would be the client secret, which serves another purpose.
 */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const ANSWER_WITHIN_MS = 10_000;
const METADATA_LIVES_MS = 3_600_000;
const CLOCK_TOLERANCE_S = 60;

/** Creates the OpenID Connect client of the operator's provider: code flow with PKCE, state and nonce. */
export function createProvider(settings: OidcSettings): Provider {
  const { issuer, clientId } = settings;
  let known: { at: number; metadata: Metadata; keys: ReturnType<typeof createRemoteJWKSet> } | undefined;

  async function discover() {
    if (known && performance.now() - known.at < METADATA_LIVES_MS) return known;
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const metadata = await ask(Metadata, 'discovery', address);
    if (metadata.issuer !== issuer) throw new ProviderError('discovery names another issuer than SORTIE_OIDC_ISSUER');
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: ANSWER_WITHIN_MS });
    known = { at: performance.now(), metadata, keys };
    return known;
  }

  return {
    async check() {
      await discover();
    },

    async startUrl({ redirectUri, state, nonce, challenge, isAgain }) {
      const { metadata } = await discover();
      const url = new URL(metadata.authorization_endpoint);
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        // With `max_age`, the provider must send `auth_time` (OpenID Connect Core, 2).
        ...(isAgain && { prompt: 'login', max_age: String(FRESH_SECONDS) }),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },

    async redeem({ code, redirectUri, verifier, nonce }) {
      const { metadata, keys } = await discover();
      const tokens = await ask(Tokens, 'the token endpoint', metadata.token_endpoint, {
        method: 'POST',
        ...authenticate(settings, metadata, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }),
      });
      const token = await verify(tokens.id_token, keys, settings);
      if (token.nonce !== nonce) throw new ProviderError('the ID token is of another sign-in');
      const { data: claims } = Claims.safeParse(token);
      if (!claims) throw new ProviderError('the ID token names no person');
      if (claims.email !== undefined || tokens.access_token === undefined || !metadata.userinfo_endpoint) {
        return toIdentity(claims);
      }
      const more = await ask(Claims, 'the userinfo endpoint', metadata.userinfo_endpoint, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
      if (more.sub !== claims.sub) throw new ProviderError('the userinfo endpoint names another person');
      return toIdentity({ ...claims, ...more, auth_time: claims.auth_time });
    },
  };
}

async function verify(
  idToken: string,
  keys: ReturnType<typeof createRemoteJWKSet>,
  { issuer, clientId }: OidcSettings,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ['sub', 'exp', 'iat'],
    });
    const isForUs =
      payload.azp === undefined ? !Array.isArray(payload.aud) || payload.aud.length === 1 : payload.azp === clientId;
    if (isForUs) return payload;
  } catch (cause) {
    throw new ProviderError('the ID token is not valid', { cause });
  }
  throw new ProviderError('the ID token is for another client');
}

const toIdentity = ({
  sub,
  name,
  email,
  email_verified: isVerified,
  auth_time,
}: z.output<typeof Claims>): Identity => ({
  subject: sub,
  name,
  authenticatedAt: timeOf(auth_time),
  email: isVerified === true && z.email().max(254).safeParse(email).success ? email?.toLowerCase() : undefined,
});

/**
 * Returns undefined for a time in the future, which would stay fresh for longer. Tolerates a provider's clock that is
 * slightly fast.
 */
function timeOf(seconds: number | undefined): Date | undefined {
  const now = Date.now();
  if (seconds === undefined || seconds * 1_000 > now + CLOCK_TOLERANCE_S * 1_000) return undefined;
  return new Date(Math.min(Math.max(seconds, 0) * 1_000, now));
}

/** Supports both methods that the standard defines for a client with a secret. */
function authenticate(
  { clientId, clientSecret }: OidcSettings,
  { token_endpoint_auth_methods_supported: methods }: Metadata,
  parameters: Record<string, string>,
): { headers: Record<string, string>; body: URLSearchParams } {
  if (!methods.includes('client_secret_basic') && methods.includes('client_secret_post')) {
    const body = { ...parameters, client_id: clientId, client_secret: clientSecret.reveal() };
    return { headers: {}, body: new URLSearchParams(body) };
  }
  const encode = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length);
  const login = Buffer.from(`${encode(clientId)}:${encode(clientSecret.reveal())}`).toString('base64');
  return { headers: { authorization: `Basic ${login}` }, body: new URLSearchParams(parameters) };
}

interface Options {
  method?: string;
  headers?: Record<string, string>;
  body?: URLSearchParams;
}

async function ask<T extends z.ZodType>(
  schema: T,
  what: string,
  address: string,
  options: Options = {},
): Promise<z.output<T>> {
  try {
    const response = await fetch(address, {
      ...options,
      headers: { accept: 'application/json', ...options.headers },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return schema.parse(await response.json());
  } catch (cause) {
    const reason = cause instanceof Error && /^status \d+$/.test(cause.message) ? `: ${cause.message}` : '';
    throw new ProviderError(`${what} did not answer as expected${reason}`, { cause });
  }
}
