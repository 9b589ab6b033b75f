import { challengeIn, createDigest } from './digest.ts';
import { type Entry, failure, type LoginFailure } from './failure.ts';
import type { FormAccount } from './form-login.ts';
import type { OpenSession } from './session.ts';

/** Logs in with HTTP Basic or Digest if the target asks for it. Resolves to undefined if it does not. */
export async function logInByBasic(
  session: OpenSession,
  targetUrl: string,
  { user, pass }: FormAccount,
): Promise<Entry | LoginFailure | undefined> {
  const { response } = await session.send({ method: 'GET', url: targetUrl });
  if (response?.status !== 401) return undefined;
  const asked = response.headers
    .filter(([name]) => name.toLowerCase() === 'www-authenticate')
    .map(([, value]) => value);
  const schemes = asked.map((value) => value.trimStart().split(/[\s,]/)[0]?.toLowerCase());
  const challenge = challengeIn(asked);
  const isBasic = schemes.includes('basic');
  if (!isBasic && !challenge)
    return schemes.some((scheme) => KNOWN.has(scheme ?? '')) ? notSupported(targetUrl, asked) : undefined;
  if (isBasic)
    session.attach({ headers: [['Authorization', `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`]] });
  else if (challenge) session.setDigest(createDigest(challenge, { user, pass }));
  const { response: answer } = await session.send({ method: 'GET', url: targetUrl });
  if (answer?.status !== 401) return { candidates: [targetUrl], bases: [] };
  session.attach({ headers: [] });
  session.setDigest(undefined);
  const scheme = isBasic ? 'Basic' : 'Digest';
  return failure('USER_OR_PASSWORD', `${targetUrl} returned status 401 to HTTP ${scheme}. Check user and password.`);
}

const KNOWN = new Set(['digest', 'ntlm', 'negotiate']);

/** Among the kinds of Digest, `auth-int` alone and unknown hashes. */
const notSupported = (targetUrl: string, [first = '']: readonly string[]) =>
  failure(
    'NOT_POSSIBLE',
    `${targetUrl} asks for HTTP ${first.split(' ')[0]} authentication${/^digest/i.test(first) ? ' of a kind that' : ', which'} is not supported. Allow HTTP Basic for this account, or give a COOKIE or a BEARER_TOKEN.`,
  );
