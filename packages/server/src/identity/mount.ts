import { endpoints } from '@sortie/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { clientAddress } from '../http/client-address.ts';
import { authorizeMember, mountEndpoint } from '../http/mount.ts';
import { routedPath } from '../http/routable-url.ts';
import type { Route } from '../http/route.ts';
import type { ServiceKey } from '../secrets/service-secrets.ts';
import type { SessionAdmission } from './admit-session.ts';
import { ADDRESS_HEADER, type Auth } from './auth.ts';
import { requireSameOrigin } from './same-origin.ts';
import type { SignInLimit } from './sign-in-limit.ts';

interface MountOptions {
  auth: Auth;
  admission: SessionAdmission;
  signInLimit: SignInLimit;
  fingerprintKey: ServiceKey;
  trustedHops: number;
  isHttps: boolean;
  routes: readonly Route[];
}

const ACCOUNT_PATH = '/api/accounts/{accountId}';

/**
 * Mounts the dashboard's API: the sign-in, and the endpoints of the public API once more below an account, for the
 * person who has signed in instead of a key. Rules and answers are the same.
 */
export function mountDashboard(app: FastifyInstance, options: MountOptions): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    handler: (request, reply) => answerSignIn(request, reply, options),
  });
  hideKeyLimits(app);
  for (const behaviour of options.routes) {
    if (behaviour.endpoint === endpoints.getKey) continue;
    mountEndpoint(app, behaviour, {
      path: behaviour.endpoint.path.replace('/v1', ACCOUNT_PATH),
      fingerprintKey: options.fingerprintKey,
      admit: ({ raw, params }, _reply, limitClass) =>
        options.admission.member(raw, limitClass, (params as { accountId: string }).accountId),
      authorize: authorizeMember,
    });
  }
}

/** The limits of API keys do not apply to people. */
function hideKeyLimits(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (/^\/api(?:\/|$)/.test(routedPath(request.url))) {
      for (const name of Object.keys(reply.getHeaders())) if (name.startsWith('ratelimit-')) reply.removeHeader(name);
    }
    done();
  });
}

const SIGN_IN_PATH = '/api/auth/sign-in/email';

async function answerSignIn(request: FastifyRequest, reply: FastifyReply, options: MountOptions) {
  requireSameOrigin(request.raw);
  const email = request.url.split('?')[0] === SIGN_IN_PATH ? emailIn(request.body) : undefined;
  const lockedFor = email === undefined ? undefined : await options.signInLimit.count(email);
  if (lockedFor !== undefined) {
    throw new AppError('RATE_LIMITED', {
      message: 'Too many failed sign-ins with this e-mail address. Wait, or reset the password.',
      retryAfterSeconds: lockedFor,
    });
  }
  const response = await options.auth.handle(toWebRequest(request, options));
  if (email !== undefined && response.ok) await options.signInLimit.forget(email);
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  return reply.send(Buffer.from(await response.arrayBuffer()));
}

function emailIn(body: unknown): string | undefined {
  try {
    const { email } = JSON.parse(String(body));
    return typeof email === 'string' ? email : undefined;
  } catch {
    return undefined;
  }
}

function toWebRequest({ raw, url, body, host }: FastifyRequest, { trustedHops, isHttps }: MountOptions): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw.headers)) if (typeof value === 'string') headers.set(name, value);
  headers.set(ADDRESS_HEADER, clientAddress(raw, trustedHops));
  const content = raw.method === 'GET' || body === undefined ? null : new Uint8Array(body as Buffer);
  return new Request(new URL(url, `${isHttps ? 'https' : 'http'}://${host}`), {
    method: raw.method ?? 'GET',
    headers,
    body: content,
  });
}
