import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { Person } from '../http/admission.ts';
import { clientAddress } from '../http/client-address.ts';
import { requireFreshSession } from '../http/fresh-session.ts';
import { describeError, type Log } from '../platform/log.ts';
import { ADDRESS_HEADER, type Auth, BASE_PATH } from './auth.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { KnownBrowser } from './known-browser.ts';
import { recordFailure, recordSignIn } from './record-sign-in.ts';
import { requireSameOrigin } from './same-origin.ts';
import { endReplaced } from './session-store.ts';
import type { SignInLimit } from './sign-in-limit.ts';

export interface SignInOptions {
  auth: Auth;
  database: Database;
  log: Log;
  signInLimit: SignInLimit;
  knownBrowser: KnownBrowser;
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
  const known = email === undefined ? undefined : options.knownBrowser.find(request.headers.cookie, email);
  const counted = known === undefined ? email : `known:${known}:${email}`;
  if (counted !== undefined) await countPassword(counted, options.signInLimit);
  const response = await options.auth.handle(toWebRequest(request, options));
  if (!response.ok && response.status !== 302) {
    if (email !== undefined) noteFailure(email, options);
    throw await explainRefusal(response);
  }
  if (counted !== undefined) await options.signInLimit.forget(counted);
  if (before && isReplaced(request, response)) await endReplaced(options.database.pool, before.session.id);
  const answer = await response.text();
  if (request.method === 'POST') await record(path, before, answer, options.database);
  const isNew = email !== undefined && known === undefined;
  return send(reply, response, answer, isNew ? [options.knownBrowser.cookieFor(email)] : []);
}

async function countPassword(counted: string, limit: SignInLimit): Promise<void> {
  const lockedFor = await limit.count(counted);
  if (lockedFor === undefined) return;
  throw new AppError('RATE_LIMITED', {
    message:
      'Too many failed sign-ins with this e-mail address. Wait, or use a passkey or a browser in which you signed in before.',
    retryAfterSeconds: lockedFor,
  });
}

/** Not awaited: the time of the answer must not tell whether there is a user with this e-mail address. */
function noteFailure(email: string, { database, log }: SignInOptions): void {
  recordFailure(database, email).catch((error: unknown) =>
    log.error('a failed sign-in is missing in the audit log', describeError(error)),
  );
}

/** Whether the visitor now has another session, so that signing in again leaves no second one behind. */
function isReplaced(request: FastifyRequest, response: Response): boolean {
  const set = response.headers.getSetCookie().find((line) => /^[^=]*session_token=/.test(line));
  const value = set?.split(';')[0];
  return value !== undefined && !request.headers.cookie?.includes(value);
}

function record(path: string, before: Person | undefined, answer: string, database: Database): Promise<void> {
  const signedOut = isSignIn(path) ? undefined : before?.userId;
  return recordSignIn(database, { path, before: signedOut, answer: parse(answer) });
}

const isSignIn = (path: string) => path.startsWith('/sign-in/') || path === '/passkey/verify-authentication';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(reply: FastifyReply, response: Response, text: string, ownCookies: readonly string[]) {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  const cookies = [...response.headers.getSetCookie(), ...ownCookies];
  if (cookies.length > 0) reply.header('set-cookie', cookies);
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
