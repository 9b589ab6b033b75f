import { readPage } from '../../crawl/readers/read-page.ts';
import { LOGIN_WORDS, USUAL_PATHS } from '../find/login-places.ts';
import { failure, type LoginFailure } from '../proof/failure.ts';
import type { Session } from '../session/session.ts';

const OF_PROVIDER = /oauth|openid|\bsso\b|saml|authorize|accounts?\.|login\.|idp\b|auth\./i;

/** Resolves to a failure that names the host to which the target sends visitors to log in. */
export async function findSingleSignOn(session: Session, targetUrl: string): Promise<LoginFailure | undefined> {
  const { origin } = new URL(targetUrl);
  for (const url of [targetUrl, ...USUAL_PATHS.slice(0, 2).map((path) => new URL(path, targetUrl).href)]) {
    const { response } = await session.send({ method: 'GET', url });
    const location = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
    const sent = location === undefined ? undefined : URL.parse(location, url);
    const { links } = readPage(response?.body.toString() ?? '', url);
    const linked = links.find((each) => LOGIN_WORDS.test(each.words) && OF_PROVIDER.test(each.url));
    const provider = [sent, linked && URL.parse(linked.url)].find((each) => each && each.origin !== origin);
    if (!provider) continue;
    const reason = `The login redirects to ${provider.origin}, which is not covered by the verification (single sign-on).`;
    return failure(
      'OUT_OF_SCOPE',
      `${reason} Give an account that logs in on the target itself, a COOKIE or a BEARER_TOKEN.`,
    );
  }
  return undefined;
}
