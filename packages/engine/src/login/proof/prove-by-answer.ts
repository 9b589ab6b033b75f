import { randomBytes } from 'node:crypto';
import { effectOf } from '../../crawl/effect/judge.ts';
import { toAnswer } from '../../oracle/compare.ts';
import { type Landed, passwordForm, type Resubmit } from '../find/find-form.ts';
import { LOG_OUT } from '../find/login-places.ts';
import type { Session } from '../session/session.ts';
import type { LoginProof } from './prove-login.ts';
import { NO_MODE } from './shown-mode.ts';
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
 * is refused or does not show the links, forms or words that the right one shows twice. Sends one wrong password per
 * account, before the right one, so that the target forgets it.
 */
export async function proveByAnswer(resubmit: Resubmit, proving: Proving): Promise<LoginProof | undefined> {
  const { session, newVisitor, pass, tries } = proving;
  const { before, landed } = resubmit;
  const isNewIn = (one: Landed, others: readonly Landed[]) => {
    const known = new Set(others.flatMap(partsOf));
    return partsOf(one).some((part) => !known.has(part));
  };
  const ofPass = wordsOf(pass);
  const newWords = (others: readonly Landed[]) => wordsBeside(landed, others, ofPass);
  // A page without anything new gives the session nothing, which is not worth a refused login.
  const hasParts = isNewIn(landed, [before]);
  if (isRefused(landed) || !(hasParts || newWords([before]).length >= LEAST_WORDS)) return undefined;
  const wrong = await tries.tryWrong(() => resubmit.send(newVisitor, `Wrong-${randomBytes(8).toString('hex')}`));
  if (!wrong || isOverloaded(wrong)) return undefined;
  const isTold = hasParts && (isRefused(wrong) || isNewIn(landed, [before, wrong]));
  const said = newWords([before, wrong]);
  if (!isTold && said.length < LEAST_WORDS) return undefined;
  const again = await resubmit.send(session, pass);
  if (!again || isRefused(again) || isNewIn(landed, [again]) || (!isTold && !saysAll(again, said))) return undefined;
  const [inside, outside] = [toAnswer(again.last), toAnswer(wrong.last)];
  if (!inside || !outside) return undefined;
  let checks = 0;
  const isIn = async () => {
    // Each check is a whole login, so most of them are left out.
    if (checks++ % CHECKS_PER_LOGIN > 0) return undefined;
    if (tries.isSpent()) return false;
    const now = await resubmit.send(session, pass);
    if (!now || isOverloaded(now) || now.status >= 500) return undefined;
    if (isRefused(now)) tries.refuse();
    else tries.succeeded();
    return !isRefused(now);
  };
  const view = (answer: typeof inside, isGreeting: boolean) => ({ answer, isGreeting, mode: NO_MODE });
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

/** A handler may fail at a wrong password each time; these say that nothing was evaluated. */
const isOverloaded = ({ status }: Landed) => [429, 502, 503, 504].includes(status);

/** Fewer new words may be a time or a greeting that changes by itself. */
const LEAST_WORDS = 3;
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{L}{3,}/gu) ?? []);

/** Returns the words that a page has beside those of the others and of the password, which it may repeat. */
function wordsBeside(landed: Landed, others: readonly Landed[], ofPass: ReadonlySet<string>): string[] {
  const known = new Set([...ofPass, ...others.flatMap(({ page: { text } }) => [...wordsOf(text)])]);
  return [...wordsOf(landed.page.text)].filter((word) => !known.has(word));
}

function saysAll({ page: { text } }: Landed, words: readonly string[]): boolean {
  const said = wordsOf(text);
  return words.filter((word) => said.has(word)).length >= LEAST_WORDS;
}

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
      effectOf({ method: 'GET', url, label: words }) === 'reads',
  );
  return [...new Set(behind.map(({ url }) => url))].slice(0, MOST_LINKS);
}
