import type { LabAnswer, LabRequest, RequestLab } from '../lab.ts';
import { type Jwt, openJwt } from '../shared/jwt.ts';

const headers = { 'content-type': 'application/json' };

/** A page for requests with an accepted token; the vulnerable lab accepts more tokens than the safe one. */
export function tokenLab(
  token: NonNullable<RequestLab['token']>,
  takes: Record<'vulnerable' | 'safe', (jwt: Jwt) => boolean>,
): RequestLab {
  const answer = ({ headers: sent, path }: LabRequest, isTaken: (jwt: Jwt) => boolean): LabAnswer => {
    const jwt = openJwt(sent.authorization?.replace('Bearer ', '') ?? '');
    if (path !== '/me') return { status: 404 };
    if (!jwt || !isTaken(jwt)) return { status: 401, headers, body: '{"error":"log in first"}' };
    return { headers, body: JSON.stringify({ email: `${jwt.claims.sub}@shop.test`, points: 12 }) };
  };
  return {
    item: { method: 'GET', url: '/me', parameters: [], seenAs: 'alice', contentType: 'application/json' },
    token,
    vulnerable: (request) => answer(request, takes.vulnerable),
    safe: (request) => answer(request, takes.safe),
  };
}
