import type { SignUpMode } from '@sortie/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { Person } from '../http/admission.ts';
import type { AttemptLimit } from '../http/attempt-limit.ts';
import { clientAddress } from '../http/client-address.ts';
import { requireFreshSession } from '../http/fresh-session.ts';
import { describeError, type Log } from '../platform/log.ts';
import { ADDRESS_HEADER, type Auth } from './auth.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { KnownBrowser } from './known-browser.ts';
import { offeredPath, ruleOf } from './offered-paths.ts';
import { endOutlived, readClock } from './outlived.ts';
import { recordFailure, recordSignIn } from './record-sign-in.ts';
import { requireSameOrigin } from './same-origin.ts';
import { endReplaced } from './session-store.ts';
import { requireName, requireSignUp } from './sign-up.ts';

export interface SignInOptions {
  auth: Auth;
  database: Database;
  log: Log;
  signInLimit: AttemptLimit;
  knownBrowser: KnownBrowser;
  trustedHops: number;
  isHttps: boolean;
  signUp: SignUpMode;
}

/** Handles a request below `/api/auth`, and answers failures with errors of the contract. */
export async function answerSignIn(request: FastifyRequest, reply: FastifyReply, options: SignInOptions) {
  requireSameOrigin(request.raw);
  const path = offeredPath(request.url);
  const body = bodyOf(request);
  const before = await options.auth.findSession(new Headers({ cookie: request.headers.cookie ?? '' }));
  const rule = ruleOf(path);
  if (rule !== 'open') {
    if (!before) throw new AppError('UNAUTHORIZED', { message: 'Sign in first.' });
    requireFreshSession(before.session);
    if (rule === 'guarded') await options.signInLimit.require(`user:${before.userId}`, LOCKED);
  }
  // The library limits wrong codes at the sign-in only, and its answer with a session would tell a right one.
  if (before && path.startsWith('/two-factor/verify-')) {
    await options.signInLimit.require(`user:${before.userId}`, LOCKED);
  }
  // Every sign-in asks for a code, because a browser that was trusted once may be stolen.
  if (path.startsWith('/two-factor/verify-') && 'trustDevice' in body) {
    throw new AppError('VALIDATION_ERROR', {
      field: 'trustDevice',
      message: 'trustDevice is not offered. Leave it out.',
    });
  }
  if (path === '/sign-up/email') {
    requireName(body.name);
    const given = { email: textIn(body, 'email') ?? '', invitation: textIn(body, 'invitation') ?? '' };
    await requireSignUp(options.database.queries, options.signUp, given);
  }
  const email = path === '/sign-in/email' ? textIn(body, 'email') : undefined;
  const known = email === undefined ? undefined : options.knownBrowser.find(request.headers.cookie, email);
  // An address is any text, and must not be counted as a user or a browser.
  const counted = email === undefined ? undefined : `${known === undefined ? 'email' : `known:${known}`}:${email}`;
  if (counted !== undefined) await options.signInLimit.require(counted, LOCKED);
  const began = await readClock(options.database.pool);
  const { response, sessions } = await options.auth.handle(toWebRequest(request, options));
  if (!response.ok && response.status !== 302) {
    if (email !== undefined) noteFailure(email, options);
    throw await explainRefusal(response);
  }
  if (await endOutlived(options.database.pool, sessions, began)) {
    throw new AppError('UNAUTHORIZED', { message: 'The password was reset meanwhile. Sign in again.' });
  }
  if (counted !== undefined) await options.signInLimit.forget(counted);
  if (before && isReplaced(request, response)) await endReplaced(options.database.pool, before.session.id);
  const answer = await response.text();
  if (request.method === 'POST') await record(path, before, answer, options.database);
  const isNew = email !== undefined && known === undefined;
  const cookies = response.headers
    .getSetCookie()
    .filter((line) => request.method === 'POST' || !ENDED_SESSION.test(line));
  if (isNew) cookies.push(options.knownBrowser.cookieFor(email));
  return send(reply, response, answer, cookies);
}

/**
 * The library deletes the cookies of an ended session. The response to a concurrent read may arrive after a sign-in has
 * set new cookies, and would delete those.
 */
const ENDED_SESSION = /^[^=]*(?:session_token|session_data|dont_remember)=;/;

/**
 * Accepts JSON objects only. The library also reads forms, and JSON with a byte order mark, which these rules could not
 * check.
 */
function bodyOf({ method, body, headers }: FastifyRequest): Record<string, unknown> {
  if (method !== 'POST' || body === undefined || (body as Buffer).length === 0) return {};
  const isJson = /^application\/json(?:\s*;|$)/i.test(headers['content-type'] ?? '');
  const parsed = isJson ? parse(String(body)) : undefined;
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  throw new AppError('VALIDATION_ERROR', { field: 'body', message: 'The body must be a JSON object.' });
}

const LOCKED =
  'Too many failed sign-ins with this e-mail address. Wait, or use a passkey or a browser in which you signed in before.';

/** Not awaited, because the duration must not reveal whether a user has this e-mail address. */
function noteFailure(email: string, { database, log }: SignInOptions): void {
  recordFailure(database, email).catch((error: unknown) =>
    log.error('a failed sign-in is missing in the audit log', describeError(error)),
  );
}

/**
 * Returns whether the response replaces the visitor's session, or removes it while a code is missing. The former
 * session is then ended, so that a second sign-in leaves none behind.
 */
function isReplaced(request: FastifyRequest, response: Response): boolean {
  const set = response.headers.getSetCookie().find((line) => /^[^=]*session_token=/.test(line));
  const value = set?.split(';')[0];
  return value !== undefined && !request.headers.cookie?.split(/;\s*/).includes(value);
}

function record(path: string, before: Person | undefined, answer: string, database: Database): Promise<void> {
  const signedOut = isSignIn(path) ? undefined : before?.userId;
  return recordSignIn(database, { path, before: signedOut, answer: parse(answer) });
}

/** Returns whether the path signs in. The visitor's earlier session may then belong to another person. */
const isSignIn = (path: string) => /^\/sign-(?:in|up)\//.test(path) || path === '/passkey/verify-authentication';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(reply: FastifyReply, response: Response, text: string, cookies: readonly string[]) {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  // A redirect has no body, whatever its content type.
  if (text === '' || !response.headers.get('content-type')?.startsWith('application/json')) return reply.send(text);
  reply.removeHeader('content-length');
  return reply.send(JSON.stringify(withoutTokens(JSON.parse(text))));
}

/** Removes session tokens from the body: they belong in the cookie, which scripts cannot read. */
function withoutTokens(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  const { token: _token, ...shown } = answer as Record<string, unknown>;
  return 'session' in shown ? { ...shown, session: withoutTokens(shown.session) } : shown;
}

function textIn(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' ? value : undefined;
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
