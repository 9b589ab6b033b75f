import { randomInt } from 'node:crypto';
import type { Redactor } from '../../http/record/redactor.ts';
import type { EngineCredential } from '../../protocol/messages.ts';
import type { Identity } from '../session/session.ts';
import { readJson } from '../session/tokens.ts';
import { readAuthenticator } from '../session/totp.ts';
import { BAD_SECRET, failure, type LoginFailure } from './failure.ts';

type Shown = Pick<Identity, 'headers' | 'query'>;

const NOTHING: Shown = { headers: [], query: [] };

/** Returns the headers and query parameters that authenticate each request; none for form logins. */
export function identityOf({ kind, location, user, pass }: EngineCredential, redactor: Redactor): Shown {
  switch (kind) {
    case 'FORM_LOGIN':
      return NOTHING;
    case 'BEARER_TOKEN':
      return { headers: [['Authorization', `Bearer ${pass}`]], query: [] };
    case 'BASIC_AUTH': {
      const token = Buffer.from(`${user}:${pass}`).toString('base64');
      redactor.learn(token);
      return { headers: [['Authorization', `Basic ${token}`]], query: [] };
    }
    case 'COOKIE':
      return { headers: [['Cookie', `${user}=${pass}`]], query: [] };
    case 'API_KEY':
      return location === 'query' ? { headers: [], query: [[user, pass]] } : { headers: [[user, pass]], query: [] };
  }
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns why the credential cannot work, as far as that is known before any request. */
export function obstacleTo(credential: EngineCredential, now: number): LoginFailure | undefined {
  const { kind, user, pass, location, tokenUrl, totpSecret } = credential;
  if (kind === 'FORM_LOGIN' && totpSecret !== null && !readAuthenticator(totpSecret)) {
    return failure('NOT_POSSIBLE', BAD_SECRET);
  }
  const isName = kind === 'COOKIE' || (kind === 'API_KEY' && location === 'header');
  if (isName && !HEADER_NAME.test(user)) {
    const what = kind === 'COOKIE' ? 'cookie' : 'header';
    return failure('NOT_POSSIBLE', `For ${kind}, user must be the name of a ${what}.`);
  }
  const isShown = isName || (kind === 'BEARER_TOKEN' && tokenUrl === null);
  if (isShown && !HEADER_VALUE.test(pass)) {
    return failure(
      'NOT_POSSIBLE',
      'pass contains characters that are not allowed in a header. Check that it was copied completely.',
    );
  }
  const endedAt = kind === 'BEARER_TOKEN' && tokenUrl === null ? endOf(pass) : undefined;
  if (endedAt === undefined || endedAt > now) return undefined;
  return failure(
    'NOT_POSSIBLE',
    `The token expired at ${new Date(endedAt).toISOString()}. Give a new one, or a tokenUrl.`,
  );
}

/** Returns the expiry (`exp`) of a JWT in milliseconds; undefined for other tokens. */
function endOf(token: string): number | undefined {
  const [, claims] = token.split('.');
  const read = claims === undefined ? undefined : readJson(Buffer.from(claims, 'base64url').toString());
  const ends = typeof read === 'object' && read !== null && 'exp' in read ? Number(read.exp) * 1_000 : Number.NaN;
  return Math.abs(ends) <= 8.64e15 ? ends : undefined;
}

/**
 * Returns an invalid credential of the same format. Returns undefined for passwords and client secrets, because a wrong
 * one counts as a failed login of the account.
 */
export function wrongTwin(credential: EngineCredential): EngineCredential | undefined {
  const { kind, tokenUrl, pass } = credential;
  if (kind === 'FORM_LOGIN' || kind === 'BASIC_AUTH' || tokenUrl !== null) return undefined;
  const letter = (from: string) => from[randomInt(from.length)] ?? '';
  const other = pass
    .replace(/[a-z]/g, () => letter('abcdefghijklmnopqrstuvwxyz'))
    .replace(/[A-Z]/g, () => letter('ABCDEFGHIJKLMNOPQRSTUVWXYZ'))
    .replace(/[0-9]/g, () => letter('0123456789'));
  return { ...credential, pass: other };
}
