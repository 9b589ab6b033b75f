import { effectOf } from '../../crawl/effect/judge.ts';
import { readPage } from '../../crawl/readers/read-page.ts';
import { readRobots } from '../../crawl/readers/read-robots.ts';
import type { TargetResponse } from '../../http/exchange/exchange.ts';
import { placesIn } from '../find/login-places.ts';
import { type Entry, failure, type LoginFailure } from '../proof/failure.ts';
import { challengeIn, createDigest } from '../session/digest.ts';
import type { OpenSession, Session } from '../session/session.ts';
import type { FormAccount } from './form-login.ts';

const MOST_PLACES = 12;

/**
 * Resolves to the first page that asks for HTTP authentication, with its response: those that the owner names, the
 * target, and folders and pages of it that links and robots.txt name. Sends no credentials.
 */
export async function findGuarded(
  session: Session,
  targetUrl: string,
  named: readonly string[],
): Promise<{ url: string; response: TargetResponse } | undefined> {
  const { origin } = new URL(targetUrl);
  const places = new Set([...named, targetUrl]);
  for (const url of places) {
    const { response } = await session.send({ method: 'GET', url });
    if (response?.status === 401 && response.headers.some(([name]) => isChallenge(name))) return { url, response };
    if (url !== targetUrl || !response) continue;
    const { links } = readPage(response.body.toString(), url);
    const robots = (await session.send({ method: 'GET', url: `${origin}/robots.txt` })).response;
    const told = robots?.status === 200 ? readRobots(robots.body.toString(), `${origin}/robots.txt`) : [];
    const linked = links.filter((link) => effectOf({ method: 'GET', url: link.url, label: link.words }) === 'reads');
    const others = [...told, ...linked.map((link) => link.url)].filter((each) => new URL(each).origin === origin);
    for (const each of others) if (places.size < MOST_PLACES) places.add(each);
  }
  return undefined;
}

const isChallenge = (name: string) => name.toLowerCase() === 'www-authenticate';

/** Logs in with HTTP Basic or Digest where the target asks for it. Resolves to undefined if it does not. */
export async function logInByBasic(
  session: OpenSession,
  targetUrl: string,
  { user, pass, instructions }: FormAccount,
): Promise<Entry | LoginFailure | undefined> {
  const guarded = await findGuarded(session, targetUrl, placesIn(instructions, targetUrl));
  if (!guarded) return undefined;
  const { url, response } = guarded;
  const asked = response.headers.filter(([name]) => isChallenge(name)).map(([, value]) => value);
  const schemes = asked.map((value) => value.trimStart().split(/[\s,]/)[0]?.toLowerCase());
  const challenge = challengeIn(asked);
  const isBasic = schemes.includes('basic');
  if (!isBasic && !challenge)
    return schemes.some((scheme) => KNOWN.has(scheme ?? '')) ? notSupported(url, asked) : undefined;
  if (isBasic)
    session.attach({ headers: [['Authorization', `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`]] });
  else if (challenge) session.setDigest(createDigest(challenge, { user, pass }));
  const { response: answer } = await session.send({ method: 'GET', url });
  if (answer?.status !== 401) return { candidates: [url], bases: [] };
  session.attach({ headers: [] });
  session.setDigest(undefined);
  const scheme = isBasic ? 'Basic' : 'Digest';
  return failure('USER_OR_PASSWORD', `${url} returned status 401 to HTTP ${scheme}. Check user and password.`);
}

const KNOWN = new Set(['digest', 'ntlm', 'negotiate']);

/** Among the kinds of Digest, `auth-int` alone and unknown hashes. */
const notSupported = (url: string, [first = '']: readonly string[]) =>
  failure(
    'NOT_POSSIBLE',
    `${url} asks for HTTP ${first.split(' ')[0]} authentication${/^digest/i.test(first) ? ' of a kind that' : ', which'} is not supported. Allow HTTP Basic for this account, or give a COOKIE or a BEARER_TOKEN.`,
  );
