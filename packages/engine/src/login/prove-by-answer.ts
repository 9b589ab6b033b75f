import { randomBytes } from 'node:crypto';
import { effectOf } from '../crawl/inventory/effect.ts';
import { toAnswer } from '../oracle/compare.ts';
import { type Landed, passwordForm, type Resubmit } from './find-form.ts';
import { LOG_OUT } from './login-places.ts';
import type { LoginProof } from './prove-login.ts';
import type { Session } from './session.ts';
import type { Tries } from './tries.ts';
import { SAYS_WRONG } from './verdict.ts';

interface Proving {
  session: Session;
  /** A new session without an account. */
  newVisitor: Session;
  pass: string;
  tries: Pick<Tries, 'tryWrong' | 'isSpent' | 'refuse' | 'succeeded'>;
}

/**
 * Proves a login by the response to its own form, for targets whose pages look the same to everyone: a wrong password
 * is refused or does not show the links and forms that the right one shows twice. Sends one wrong password per
 * account, before the right one, so that the target forgets it.
 */
export async function proveByAnswer(resubmit: Resubmit, proving: Proving): Promise<LoginProof | undefined> {
  const { session, newVisitor, pass, tries } = proving;
  const { before, landed } = resubmit;
  const isNewIn = (one: Landed, others: readonly Landed[]) => {
    const known = new Set(others.flatMap(partsOf));
    return partsOf(one).some((part) => !known.has(part));
  };
  // A page without anything new gives the session nothing, which is not worth a refused login.
  if (isRefused(landed) || !isNewIn(landed, [before])) return undefined;
  const wrong = await tries.tryWrong(() => resubmit.send(newVisitor, `Wrong-${randomBytes(8).toString('hex')}`));
  const isTold = wrong && !isOverloaded(wrong) && (isRefused(wrong) || isNewIn(landed, [before, wrong]));
  const again = isTold ? await resubmit.send(session, pass) : undefined;
  if (!again || isRefused(again) || isNewIn(landed, [again])) return undefined;
  const [inside, outside] = [toAnswer(again.last), toAnswer(wrong?.last ?? again.last)];
  if (!inside || !outside) return undefined;
  let checks = 0;
  const isIn = async () => {
    // Each check is a whole login, so most of them are left out.
    if (checks++ % CHECKS_PER_LOGIN > 0) return undefined;
    if (tries.isSpent()) return false;
    const now = await resubmit.send(session, pass);
    if (!now || isOverloaded(now)) return undefined;
    if (isRefused(now)) tries.refuse();
    else tries.succeeded();
    return !isRefused(now);
  };
  const view = (answer: typeof inside, isGreeting: boolean) => ({ answer, isGreeting });
  return {
    url: landed.url,
    asked: landed.url,
    by: 'LOGIN',
    inside: view(inside, true),
    outside: view(outside, false),
    isIn,
  };
}

const CHECKS_PER_LOGIN = 20;

const isOverloaded = ({ status }: Landed) => status === 429 || status >= 500;

function isRefused({ status, page }: Landed): boolean {
  return status >= 400 || passwordForm(page.forms) !== undefined || SAYS_WRONG.test(page.text);
}

/** Returns the links and forms of a page, without their queries. */
function partsOf({ page: { links, forms } }: Landed): string[] {
  const place = (url: string) => url.replace(/[?#].*$/s, '');
  return [
    ...links.map(({ url }) => `link ${place(url)}`),
    ...forms.map(({ method, action }) => `${method} ${place(action)}`),
  ];
}

const MOST_LINKS = 5;

/** Returns the links that the response to a login shows and its form does not; those that only read. */
export function linksBehind(landed: Landed, before: Landed): string[] {
  const known = new Set(before.page.links.map(({ url }) => url));
  const { origin } = new URL(landed.url);
  const behind = landed.page.links.filter(
    ({ url, words }) =>
      !known.has(url) &&
      new URL(url).origin === origin &&
      !LOG_OUT.test(`${words} ${url}`) &&
      effectOf('GET', url, words) === 'reads',
  );
  return [...new Set(behind.map(({ url }) => url))].slice(0, MOST_LINKS);
}
