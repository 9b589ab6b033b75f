import { isDangerous } from '../crawl/inventory/danger.ts';
import { readPage } from '../crawl/readers/read-page.ts';
import { type ComparedAnswer, isSame, similarity, toAnswer } from '../oracle/compare.ts';
import { passwordForm } from './find-form.ts';
import type { Session } from './session.ts';

/** A page that looks different to the account than to everybody: whoever sees the first is logged in. */
export interface LoginProof {
  url: string;
  /** By its words as a whole, or by what only somebody is shown who is logged in, if the words change by themselves. */
  by: 'WORDS' | 'GREETING';
  inside: View;
  outside: View;
}

interface View {
  answer: ComparedAnswer;
  /** Whether it names the account or offers to log out. */
  isGreeting: boolean;
}

interface Proving {
  session: Session;
  visitor: Session;
  /** Names of the account; empty where it has none. */
  names: readonly string[];
}

const ROUNDS = 2;
const LOG_OUT =
  /\b(?:log|sign)[\s_-]?(?:out|off)\b|abmelden|ausloggen|d[ée]connexion|se d[ée]connecter|cerrar sesi[oó]n|uitloggen|afmelden|disconnetti|terminar sess[aã]o|выйти/i;

/**
 * Finds a page whose answer to the account differs from its answer to a visitor, each time the same way. A page that
 * changes by itself proves nothing.
 */
export async function proveLogin(proving: Proving, candidates: readonly string[]): Promise<LoginProof | undefined> {
  for (const url of new Set(candidates)) {
    const proof = await proveBy(url, proving);
    if (proof) return proof;
  }
  return undefined;
}

async function proveBy(url: string, { session, visitor, names }: Proving): Promise<LoginProof | undefined> {
  const inside = await look(session, url, names);
  if (!inside || inside.answer.status >= 400) return undefined;
  const outside = await look(visitor, url, names);
  if (!outside || isAlike(inside, outside)) return undefined;
  let ways: LoginProof['by'][] = ['WORDS', 'GREETING'];
  for (let round = 1; round < ROUNDS; round++) {
    // In the other order: two servers that take turns would look like two visitors.
    const [outsideAgain, insideAgain] = [await look(visitor, url, names), await look(session, url, names)];
    if (!insideAgain || !outsideAgain) return undefined;
    const isSteady = {
      WORDS: isSame(inside.answer, insideAgain.answer) && isSame(outside.answer, outsideAgain.answer),
      GREETING: inside.isGreeting && insideAgain.isGreeting && !outside.isGreeting && !outsideAgain.isGreeting,
    };
    ways = ways.filter((way) => isSteady[way] && (way === 'GREETING' || !isSame(inside.answer, outside.answer)));
  }
  const [by] = ways;
  return by && { url, by, inside, outside };
}

const isAlike = (one: View, other: View) => one.isGreeting === other.isGreeting && isSame(one.answer, other.answer);

async function look(as: Session, url: string, names: readonly string[]): Promise<View | undefined> {
  const exchange = await as.send({ method: 'GET', url });
  // A page that repeats the key in its own address tells nothing about the key.
  const noise = [...new URL(exchange.request.url).searchParams].flat();
  const answer = toAnswer(exchange, noise);
  if (!answer) return undefined;
  const { text, links, forms } = readPage(exchange.response?.body.toString() ?? '', exchange.request.url);
  const isNamed = names.some((name) => text.toLowerCase().includes(name.toLowerCase()));
  const offersToLeave = links.some((link) => LOG_OUT.test(link.words) || LOG_OUT.test(link.url));
  // Somebody who is asked for a password is not in, whatever else they are told.
  return { answer, isGreeting: (isNamed || offersToLeave) && !passwordForm(forms) };
}

/** Whether the account is still logged in; undefined when that cannot be told now. */
export async function isStillIn(proving: Proving, proof: LoginProof): Promise<boolean | undefined> {
  const now = await look(proving.session, proof.url, proving.names);
  if (!now || now.answer.status === 429 || now.answer.status >= 500) return undefined;
  if (proof.by === 'GREETING' ? now.isGreeting : isSame(now.answer, proof.inside.answer)) return true;
  const { status, location } = proof.inside.answer;
  if (now.answer.status !== status || now.answer.location !== location) return false;
  if (isSame(now.answer, proof.outside.answer)) return false;
  // The page has changed since, as pages do that are tested.
  const outside = await look(proving.visitor, proof.url, proving.names);
  if (!outside) return undefined;
  const closeTo = (view: View) => similarity(now.answer.words, view.answer.words);
  if (isSame(now.answer, outside.answer) || closeTo(proof.inside) <= closeTo(outside)) return false;
  proof.inside = now;
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

/** Where sites show who somebody is: what the page behind the login links to, and the usual addresses. */
export async function placesOfAccount(session: Session, start: string, bases: readonly string[]): Promise<string[]> {
  const { response, request } = await session.send({ method: 'GET', url: start });
  const { links } = readPage(response?.body.toString() ?? '', request.url);
  const origin = new URL(start).origin;
  const own = links
    .filter(({ url, words }) => new URL(url).origin === origin && OWN_WORDS.test(`${words} ${url}`))
    .filter(({ url, words }) => !isDangerous(url, words));
  const usual = bases.flatMap((base) => PLACES.map((place) => new URL(place, base).href));
  return [...new Set([...own.map(({ url }) => url).slice(0, MOST_LINKS), ...usual])];
}
