import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import type { Person } from '../http/admission.ts';
import { clientAddress } from '../http/client-address.ts';
import { requireFreshSession } from '../http/fresh-session.ts';
import { ADDRESS_HEADER, type Auth, BASE_PATH } from './auth.ts';
import { explainRefusal } from './explain-refusal.ts';
import { requireSameOrigin } from './same-origin.ts';
import type { SessionStore } from './session-store.ts';
import type { SignInLimit } from './sign-in-limit.ts';

export interface SignInOptions {
  auth: Auth;
  sessions: SessionStore;
  signInLimit: SignInLimit;
  trustedHops: number;
  isHttps: boolean;
}

/** What changes how a person signs in. The library itself asks for a fresh session before passkeys are added. */
const NEED_FRESH_SESSION = new Set([
  '/change-password',
  '/passkey/delete-passkey',
  '/two-factor/disable',
  '/two-factor/enable',
  '/two-factor/generate-backup-codes',
]);

/** Answers a request below `/api/auth`, with errors of the contract. */
export async function answerSignIn(request: FastifyRequest, reply: FastifyReply, options: SignInOptions) {
  requireSameOrigin(request.raw);
  const path = request.url.split('?')[0]?.slice(BASE_PATH.length) ?? '';
  const before = await options.auth.findSession(new Headers({ cookie: request.headers.cookie ?? '' }));
  if (NEED_FRESH_SESSION.has(path)) {
    if (!before) throw new AppError('UNAUTHORIZED', { message: 'Sign in first.' });
    requireFreshSession(before.session);
    await countPassword(`user:${before.userId}`, options.signInLimit);
  }
  const email = path === '/sign-in/email' ? emailIn(request.body) : undefined;
  if (email !== undefined) await countPassword(email, options.signInLimit);
  const response = await options.auth.handle(toWebRequest(request, options));
  if (!response.ok && response.status !== 302) throw await explainRefusal(response);
  if (email !== undefined) await options.signInLimit.forget(email);
  if (before) await endReplaced(before, request, response, options.sessions);
  return send(reply, response);
}

async function countPassword(counted: string, limit: SignInLimit): Promise<void> {
  const lockedFor = await limit.count(counted);
  if (lockedFor === undefined) return;
  throw new AppError('RATE_LIMITED', {
    message: 'Too many failed sign-ins with this e-mail address. Wait, or reset the password.',
    retryAfterSeconds: lockedFor,
  });
}

/** Ends the session that the visitor had before, so that signing in again leaves no second one behind. */
async function endReplaced(before: Person, request: FastifyRequest, response: Response, sessions: SessionStore) {
  const set = response.headers.getSetCookie().find((line) => /^[^=]*session_token=/.test(line));
  const value = set?.split(';')[0];
  if (value === undefined || request.headers.cookie?.includes(value)) return;
  await sessions.end(before.session.id);
}

async function send(reply: FastifyReply, response: Response) {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('application/json')) return reply.send(text);
  reply.removeHeader('content-length');
  return reply.send(JSON.stringify(withoutTokens(JSON.parse(text))));
}

/** A session's token is in its cookie only, which scripts of a page cannot read. */
function withoutTokens(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  const { token: _token, ...shown } = answer as Record<string, unknown>;
  return 'session' in shown ? { ...shown, session: withoutTokens(shown.session) } : shown;
}

function emailIn(body: unknown): string | undefined {
  try {
    const { email } = JSON.parse(String(body));
    return typeof email === 'string' ? email : undefined;
  } catch {
    return undefined;
  }
}

function toWebRequest({ raw, url, body, host }: FastifyRequest, { trustedHops, isHttps }: SignInOptions): Request {
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
