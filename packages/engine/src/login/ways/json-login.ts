import { findEndpoint, type LoginEndpoint } from '../find/find-endpoint.ts';
import { readInstructions } from '../find/instructions.ts';
import { placesIn } from '../find/login-places.ts';
import type { LoginKeys } from '../find/login-scripts.ts';
import { type Entry, failure, type LoginFailure } from '../proof/failure.ts';
import type { LoginField, LoginRequest } from '../session/login-request.ts';
import { type ApiLogin, logInByRequests } from './api-login.ts';

/**
 * Logs in like a single-page application: sends user and password as JSON and reads a token or cookie from the
 * response.
 */
export async function logInByJson(login: ApiLogin): Promise<Entry | LoginFailure> {
  const { session, targetUrl, account } = login;
  const endpoint = await findEndpoint(session, targetUrl, placesIn(account.instructions, targetUrl));
  if (!endpoint) {
    const reason = `No JSON login endpoint was found for ${targetUrl}.`;
    return failure('NO_LOGIN', `${reason} Give it in the instructions, such as "POST /api/login".`);
  }
  const answer = await logInByRequests(requestsFor(endpoint, login), login);
  return answer ?? failure('NO_LOGIN', `${endpoint.url} was not tried.`);
}

/** Tries other property names only while the target has not evaluated the credentials. */
function requestsFor({ url, keys, reads, toNobody }: LoginEndpoint, { account }: ApiLogin): LoginRequest[] {
  const { header, values } = readInstructions(account.instructions);
  const guessed = account.user.includes('@') ? ['email', 'username', 'user'] : ['username', 'email', 'user'];
  const guesses = guessed.map((user): LoginKeys => ({ user, pass: 'password' }));
  const others = [...values].map(([name, value]): LoginField => ({ name, value, isNeeded: true }));
  const isGrant = toNobody.response?.body.includes('grant_type') ?? false;
  const grant: LoginField[] = isGrant ? [{ name: 'grant_type', value: 'password', isNeeded: true }] : [];
  return (keys ? [keys] : guesses).map(({ user, pass }) => ({
    how: keys ? 'as its responses and scripts name them' : 'as most APIs name them',
    url,
    kind: 'json',
    fields: [...grant, { name: user, value: '', role: 'user' }, { name: pass, value: '', role: 'pass' }, ...others],
    header,
    proofs: reads,
    toNobody,
  }));
}
