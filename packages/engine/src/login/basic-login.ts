import { type Entry, failure, type LoginFailure } from './failure.ts';
import type { FormAccount } from './form-login.ts';
import type { OpenSession } from './session.ts';

/** Logs in with HTTP Basic if the target asks for it. Resolves to undefined if it does not. */
export async function logInByBasic(
  session: OpenSession,
  targetUrl: string,
  { user, pass }: FormAccount,
): Promise<Entry | LoginFailure | undefined> {
  const { response } = await session.send({ method: 'GET', url: targetUrl });
  const asked = response?.headers.filter(([name]) => name.toLowerCase() === 'www-authenticate') ?? [];
  const schemes = asked.map(([, value]) => value.trimStart().split(/[\s,]/)[0]?.toLowerCase());
  if (response?.status !== 401) return undefined;
  if (!schemes.includes('basic')) {
    return schemes.includes('digest') || schemes.includes('ntlm') || schemes.includes('negotiate')
      ? failure(
          'NOT_POSSIBLE',
          `${targetUrl} asks for HTTP ${asked[0]?.[1].split(' ')[0]} authentication, which is not supported. Allow HTTP Basic for this account, or give a COOKIE or a BEARER_TOKEN.`,
        )
      : undefined;
  }
  session.setHeaders([['Authorization', `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`]]);
  const { response: answer } = await session.send({ method: 'GET', url: targetUrl });
  if (answer?.status !== 401) return { candidates: [targetUrl], bases: [] };
  session.setHeaders([]);
  return failure('USER_OR_PASSWORD', `${targetUrl} returned status 401 to HTTP Basic. Check user and password.`);
}
