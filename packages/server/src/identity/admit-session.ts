import type { IncomingMessage } from 'node:http';
import type { LimitClass, Role } from '@sortie/contract';
import type pg from 'pg';
import { AppError } from '../errors/app-error.ts';
import type { Caller } from '../http/admission.ts';
import { permissionsOf } from '../keys/keys.ts';
import type { Auth, Session } from './auth.ts';
import { requireSameOrigin } from './same-origin.ts';

/** Requests of one person per minute. A page makes about ten, so that only scripts reach the limit. */
const LIMITS: Record<LimitClass, number> = { read: 1_200, write: 120 };

const COUNT_REQUEST = `
  insert into rate_counter as present (counter, requests, window_ends_at)
  values ($1, 1, clock_timestamp() + interval '60 seconds')
  on conflict (counter) do update set
    requests = case when present.window_ends_at <= clock_timestamp() then 1 else present.requests + 1 end,
    window_ends_at = case when present.window_ends_at <= clock_timestamp()
                          then excluded.window_ends_at else present.window_ends_at end
  returning requests, extract(epoch from window_ends_at - clock_timestamp())::float8 as "secondsLeft"`;

const MEMBERSHIP = `
  select member.role, member.allowance is not null as "isCapped", account.suspended_at is not null as suspended
    from member join account on account.id = member.account_id
   where member.account_id = $1 and member.user_id = $2`;

interface Membership {
  role: Role;
  isCapped: boolean;
  suspended: boolean;
}

export interface SessionAdmission {
  /** Resolves with the session of a request that may be answered. Throws the refusal otherwise. */
  requireSession(request: IncomingMessage, limitClass: LimitClass): Promise<Session>;
  /** Resolves with the person who has signed in as a member of the account. */
  requireMember(request: IncomingMessage, limitClass: LimitClass, accountId: string): Promise<Caller>;
}

export function createSessionAdmission(pool: pg.Pool, auth: Auth): SessionAdmission {
  async function requireSession(request: IncomingMessage, limitClass: LimitClass): Promise<Session> {
    const session = await auth.findSession(new Headers({ cookie: request.headers.cookie ?? '' }));
    if (!session) throw new AppError('UNAUTHORIZED', { message: 'Sign in first.' });
    requireSameOrigin(request);
    const counter = `user:${limitClass}:${session.userId}`;
    const { rows } = await pool.query<{ requests: number; secondsLeft: number }>(COUNT_REQUEST, [counter]);
    const { requests = 0, secondsLeft = 0 } = rows[0] ?? {};
    if (requests <= LIMITS[limitClass]) return session;
    throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(secondsLeft)) });
  }

  return {
    requireSession,
    async requireMember(request, limitClass, accountId) {
      const { userId } = await requireSession(request, limitClass);
      const { rows } = await pool.query<Membership>(MEMBERSHIP, [accountId, userId]);
      const [membership] = rows;
      // The same for an account that does not exist, so that ids cannot be probed.
      if (!membership) throw new AppError('NOT_FOUND', { message: 'There is no such account, or it is not yours.' });
      return { apiKeyId: null, accountId, userId, permissions: permissionsOf(membership.role), ...membership };
    },
  };
}
