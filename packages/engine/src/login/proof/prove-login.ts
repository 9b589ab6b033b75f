import { effectOf } from '../../crawl/effect/judge.ts';
import { readPage } from '../../crawl/readers/read-page.ts';
import { type ComparedAnswer, isSame, similarity, toAnswer } from '../../oracle/compare.ts';
import { passwordForm } from '../find/find-form.ts';
import { LOG_OUT } from '../find/login-places.ts';
import type { Candidate } from '../session/login-request.ts';
import type { Session } from '../session/session.ts';
import { valuesIn } from '../session/token-argument.ts';
import { type ShownMode, shownModeOf, steadyMode, switchBetween } from './shown-mode.ts';

/** A page that differs between the account and an anonymous visitor, so that it shows whether the session is valid. */
export interface LoginProof {
  url: string;
  /** The request whose response differs. */
  asked: Candidate;
  /**
   * `WORDS`: the text as a whole differs. `GREETING`: only the account sees its name or a logout link; used if the text
   * changes by itself. `STATUS`: only the account is let in, and texts such as the time of an error change by themselves.
   * `LOGIN`: all pages look the same, and only the response to the login form itself differs from that to a wrong
   * password.
   */
  by: 'WORDS' | 'GREETING' | 'STATUS' | 'LOGIN';
  inside: View;
  outside: View;
  /** With `LOGIN` only: logs in again, because nothing else shows whether the session is valid. */
  isIn?: () => Promise<boolean | undefined>;
}

interface View {
  answer: ComparedAnswer;
  /** Whether it names the account or has a logout link, and asks for no password. */
  isGreeting: boolean;
  mode: ShownMode;
}

interface Proving {
  session: Session;
  visitor: Session;
  /** Names of the account that pages may show; empty if it has none. */
  names: readonly string[];
}

const ROUNDS = 2;

/**
 * Finds a page whose response to the account differs consistently from that to an anonymous visitor. A page that
 * changes by itself proves nothing. Adds the candidates that require another credential to `guarded`.
 */
export async function proveLogin(
  proving: Proving,
  candidates: readonly Candidate[],
  guarded: Candidate[] = [],
): Promise<LoginProof | undefined> {
  for (const candidate of new Set(candidates)) {
    const proof = await proveBy(candidate, proving, guarded);
    if (proof) return proof;
  }
  return undefined;
}

async function proveBy(
  asked: Candidate,
  { session, visitor, names }: Proving,
  guarded: Candidate[],
): Promise<LoginProof | undefined> {
  const inside = await look(session, asked, names);
  if (inside && (inside.answer.status === 401 || inside.answer.status === 403)) guarded.push(asked);
  if (!inside || inside.answer.status >= 400) return undefined;
  const outside = await look(visitor, asked, names);
  if (outside && typeof asked !== 'string' && isAlike(inside, outside)) guarded.push(asked);
  if (!outside || isAlike(inside, outside)) return undefined;
  let ways: ('WORDS' | 'GREETING' | 'STATUS')[] = ['WORDS', 'GREETING', 'STATUS'];
  for (let round = 1; round < ROUNDS; round++) {
    // In reverse order: two alternating backends would otherwise look like account and visitor.
    const [outsideAgain, insideAgain] = [await look(visitor, asked, names), await look(session, asked, names)];
    if (!insideAgain || !outsideAgain) return undefined;
    const isSteady = {
      WORDS: isSame(inside.answer, insideAgain.answer) && isSame(outside.answer, outsideAgain.answer),
      GREETING: inside.isGreeting && insideAgain.isGreeting && !outside.isGreeting && !outsideAgain.isGreeting,
      STATUS: isLetIn(inside) && isLetIn(insideAgain) && isDenied(outside) && hasStatusOf(outside, outsideAgain),
    };
    ways = ways.filter((way) => isSteady[way] && (way !== 'WORDS' || !isSame(inside.answer, outside.answer)));
    inside.mode = steadyMode(inside.mode, insideAgain.mode);
  }
  const [by] = ways;
  return by && { url: urlOf(asked), asked, by, inside, outside };
}

const isLetIn = ({ answer: { status } }: View) => status >= 200 && status < 300;
/** A rate limit denies requests of anyone. */
const isDenied = ({ answer: { status } }: View) => status >= 400 && status < 500 && status !== 429;
const hasStatusOf = (one: View, other: View) => one.answer.status === other.answer.status;

const isAlike = (one: View, other: View) => one.isGreeting === other.isGreeting && isSame(one.answer, other.answer);

const urlOf = (asked: Candidate) => (typeof asked === 'string' ? asked : asked.url);

async function look(as: Session, asked: Candidate, names: readonly string[]): Promise<View | undefined> {
  const exchange = await as.send(typeof asked === 'string' ? { method: 'GET', url: asked } : asked);
  // A page that echoes the API key from its own URL, or a token from its variables, proves nothing about it.
  const { url, body } = exchange.request;
  const noise = [...[...new URL(url).searchParams].flat(), ...valuesIn(body)];
  const answer = toAnswer(exchange, noise);
  if (!answer) return undefined;
  const { text, links, forms } = readPage(exchange.response?.body.toString() ?? '', exchange.request.url);
  const isNamed = names.some((name) => text.toLowerCase().includes(name.toLowerCase()));
  const offersToLeave = links.some((link) => LOG_OUT.test(link.words) || LOG_OUT.test(link.url));
  // A page that asks for a password is not one for logged-in users, whatever else it shows.
  const mode = shownModeOf(exchange, names.length === 0 ? undefined : isNamed);
  return { answer, isGreeting: (isNamed || offersToLeave) && !passwordForm(forms), mode };
}

/** What a look at the proof of a login shows of its session. */
interface SessionCheck {
  /** Whether the session is still valid; undefined if that cannot be determined now. */
  isIn: boolean | undefined;
  /** How its mode was switched, such as "language from en to de". */
  switched?: string | undefined;
}

/** Resolves to whether the session is still valid, and in the mode that it had. */
export async function lookAgain(proving: Proving, proof: LoginProof): Promise<SessionCheck> {
  if (proof.isIn) return { isIn: await proof.isIn() };
  const now = await look(proving.session, proof.asked, proving.names);
  if (!now || now.answer.status === 429 || now.answer.status >= 500) return { isIn: undefined };
  const { mode } = proof.inside;
  // A page in another language is similar to neither what the account nor what visitors saw.
  const isOther = switchBetween(mode, now.mode, proof.outside.mode) !== undefined;
  const isIn = isOther || (await isStillIn(now, proving, proof));
  if (isIn !== true || switchBetween(mode, now.mode) === undefined) return { isIn };
  const again = await look(proving.session, proof.asked, proving.names);
  return { isIn, switched: again && switchBetween(mode, again.mode) };
}

/** Resolves to how the session differs in mode from that of the proof; the proof has its mode from now on. */
export async function adoptMode(proving: Proving, proof: LoginProof): Promise<string | undefined> {
  const now = await look(proving.session, proof.asked, proving.names);
  if (!now) return undefined;
  const switched = switchBetween(proof.inside.mode, now.mode);
  proof.inside.mode = now.mode;
  return switched;
}

async function isStillIn(now: View, proving: Proving, proof: LoginProof): Promise<boolean | undefined> {
  if (proof.by === 'STATUS') return hasStatusOf(now, proof.inside);
  if (proof.by === 'GREETING' ? now.isGreeting : isSame(now.answer, proof.inside.answer)) return true;
  const { status, location } = proof.inside.answer;
  if (now.answer.status !== status || now.answer.location !== location) return false;
  if (isSame(now.answer, proof.outside.answer)) return false;
  // Tests change pages, so compare with what an anonymous visitor sees now.
  const outside = await look(proving.visitor, proof.asked, proving.names);
  if (!outside) return undefined;
  const closeTo = (view: View) => similarity(now.answer.words, view.answer.words);
  if (isSame(now.answer, outside.answer) || closeTo(proof.inside) <= closeTo(outside)) return false;
  proof.inside = { ...now, mode: proof.inside.mode };
  proof.outside = outside;
  return true;
}

const PLACES = [
  'me',
  'user',
  'profile',
  'account',
  'users/me',
  'auth/me',
  'user/whoami',
  'whoami',
  'session',
  'userinfo',
];
const OWN_WORDS = /account|profile|settings|orders|dashboard|\bmy\b|konto|profil|compte|cuenta|perfil|личный/i;
const MOST_LINKS = 5;

/** Resolves to URLs that usually show account data: links on the page behind the login, then common paths. */
export async function placesOfAccount(session: Session, start: string, bases: readonly string[]): Promise<string[]> {
  const { response, request } = await session.send({ method: 'GET', url: start });
  const { links } = readPage(response?.body.toString() ?? '', request.url);
  const origin = new URL(start).origin;
  const own = links
    .filter(({ url, words }) => new URL(url).origin === origin && OWN_WORDS.test(`${words} ${url}`))
    .filter(({ url, words }) => effectOf({ method: 'GET', url, label: words }) === 'reads');
  const usual = bases.flatMap((base) => PLACES.map((place) => new URL(place, base).href));
  return [...new Set([...own.map(({ url }) => url).slice(0, MOST_LINKS), ...usual])];
}
