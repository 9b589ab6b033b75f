import type { IncomingMessage } from 'node:http';
import type { LimitClass, Role } from '@sortie/contract';
import type pg from 'pg';
import { countRequest } from '../db/count-request.ts';
import { AppError } from '../errors/app-error.ts';
import type { Caller, Guest, Person } from '../http/admission.ts';
import { clientAddress, floodKey } from '../http/client-address.ts';
import { permissionsOf } from '../keys/keys.ts';
import type { Auth } from './auth.ts';
import { refuseForeignOrigin, requireSameOrigin } from './same-origin.ts';

/** Per person. A page sends about ten requests, so only scripts reach the limit. */
const LIMITS = { read: { requests: 1_200, seconds: 60 }, write: { requests: 120, seconds: 60 } };

const MEMBERSHIP = `
  select member.role, member.allowance is not null as "isCapped", account.suspended_at is not null as suspended
    from member join account on account.id = member.account_id
   where member.account_id = $1 and member.user_id = $2`;

interface Membership {
  role: Role;
  isCapped: boolean;
  suspended: boolean;
}

/** Per address without a sign-in; an office may share one address. */
const GUEST_LIMITS = { read: { requests: 600, seconds: 60 }, write: { requests: 60, seconds: 60 } };

export interface SessionAdmission {
  /** Resolves to a visitor who need not be signed in. Throws the refusal otherwise. */
  guest(request: IncomingMessage, limitClass: LimitClass): Promise<Guest>;
  /** Resolves to the signed-in person. Throws the refusal otherwise. */
  person(request: IncomingMessage, limitClass: LimitClass): Promise<Person>;
  /** Resolves to the signed-in person as a member of the account. Throws the refusal otherwise. */
  member(request: IncomingMessage, limitClass: LimitClass, accountId: string): Promise<Caller>;
}

/** Creates the admission of signed-in people, which replaces that of API keys. */
export function createSessionAdmission(
  pool: pg.Pool,
  { auth, trustedHops }: { auth: Auth; trustedHops: number },
): SessionAdmission {
  async function person(request: IncomingMessage, limitClass: LimitClass): Promise<Person> {
    const found = await auth.findSession(new Headers({ cookie: request.headers.cookie ?? '' }));
    if (!found) throw new AppError('UNAUTHORIZED', { message: 'Sign in first.' });
    const { userId } = found;
    requireSameOrigin(request);
    const retryAfterSeconds = await countRequest(pool, `user:${limitClass}:${userId}`, LIMITS[limitClass]);
    if (retryAfterSeconds !== undefined) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
    return found;
  }
  return {
    person,
    async guest(request, limitClass) {
      // Programs call these endpoints as well, and send no Origin header.
      refuseForeignOrigin(request);
      const address = clientAddress(request, trustedHops);
      const counter = `guest:${limitClass}:${floodKey(address)}`;
      const retryAfterSeconds = await countRequest(pool, counter, GUEST_LIMITS[limitClass]);
      if (retryAfterSeconds !== undefined) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
      return { address };
    },
    async member(request, limitClass, accountId) {
      const { userId, session } = await person(request, limitClass);
      const { rows } = await pool.query<Membership>(MEMBERSHIP, [accountId, userId]);
      const [membership] = rows;
      // The refusal is the same for an account that does not exist, so that ids cannot be probed.
      if (!membership) throw new AppError('NOT_FOUND', { message: 'There is no such account, or it is not yours.' });
      const permissions = permissionsOf(membership.role);
      return { apiKeyId: null, accountId, userId, session, permissions, ...membership };
    },
  };
}
