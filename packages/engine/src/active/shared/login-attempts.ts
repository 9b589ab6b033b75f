import { loginIn } from '../../crawl/effect/logs-in.ts';
import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import { readPage } from '../../crawl/readers/read-page.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { headerOf } from '../../http/exchange/headers.ts';
import { passwordForm } from '../../login/find/find-form.ts';
import { FORM_TOKEN } from '../../login/session/fresh-form-tokens.ts';
import { findToken } from '../../login/session/tokens.ts';
import { isSame, toAnswer } from '../../oracle/compare.ts';
import { readJson, textOf } from '../../oracle/private-content.ts';
import type { Asking, Known, Site } from '../define-active-check.ts';
import { type PointRequest, requestWith } from '../insertion-point.ts';
import type { RunMemory } from '../run-memory.ts';

const USER = /user|login|mail|account|(?:^|[/_])name$/i;
const PASSWORD = /pass(?:word|wd|phrase)?$|^pwd$|\/pwd$/i;
const LOCKED =
  /\block(?:ed|out)\b|too many|try again (?:in|later)|captcha|suspended|temporarily|account (?:is |was |has been )?(?:disabled|deactivated)/i;

function fieldsOf({ parameters }: InventoryItem): { user: Parameter; password: Parameter } | undefined {
  const inBody = parameters.filter(({ location }) => location === 'form' || location === 'json');
  const passwords = inBody.filter(({ name }) => PASSWORD.test(name));
  const user = inBody.find(({ name }) => USER.test(name) && !PASSWORD.test(name));
  const [password] = passwords;
  // New visitors send a token of their own, which the page of a form has.
  const isToken = ({ name }: Parameter) => FORM_TOKEN.test(name);
  const hasUnknown = inBody.some((each) => isToken(each) && each.location !== 'form');
  const isLogin = passwords.length === 1 && !hasUnknown && inBody.filter((each) => !isToken(each)).length <= 4;
  return user && password && isLogin ? { user, password } : undefined;
}

const MOST_LOGINS = 2;
/** Interfaces for staff often ship with a vendor's default password. */
const OF_STAFF = /admin|console|manage|panel|dashboard|back-?(?:end|office)|staff|setup/i;

const isSeenByVisitors = ({ seenAs, sightings = [] }: InventoryItem) =>
  seenAs === null || sightings.some(({ as }) => as === null);

/**
 * Any other request with a name and a password could create a user. So could a form that only accounts see, unless its
 * path speaks of a login.
 */
const isLogin = (item: InventoryItem) =>
  (item.effect === 'logsIn' && (item.source !== 'form' || isSeenByVisitors(item))) || loginIn(item) !== undefined;

/** Takes one login for staff and the first of the others, because customer logins usually share one backend. */
export function loginsAt({ origin }: Site, { inventory }: Known, most = MOST_LOGINS): InventoryItem[] {
  // Last what takes longest: plans ask it for every request.
  const logins = inventory.filter(
    (item) => item.method === 'POST' && item.url.startsWith(`${origin}/`) && fieldsOf(item) && isLogin(item),
  );
  const ofStaff = logins.filter(({ url }) => OF_STAFF.test(new URL(url).pathname));
  return [...new Set([...ofStaff.slice(0, 1), ...logins])].slice(0, most);
}

/** Returns the login request with this user and password. */
export function requestAs(item: InventoryItem, user: string, password: string): PointRequest {
  const fields = fieldsOf(item);
  if (!fields) return { method: item.method, url: item.url };
  const { body = '', headers = [] } = requestWith({ item, parameter: fields.user }, user);
  const type = headers.find(([name]) => name === 'Content-Type')?.[1] ?? '';
  const withUser = { ...item, body: { type, text: body.toString() } };
  return requestWith({ item: withUser, parameter: fields.password }, password);
}

/** Returns whether the response differs from a refusal, sets a cookie or a token, and shows no login form. */
export function isLetIn(answer: Exchange, refusal: Exchange): boolean {
  const [one, other] = [toAnswer(answer), toAnswer(refusal)];
  if (!answer.response || !one || !other || one.status >= 400 || isSame(one, other)) return false;
  if (asksForPassword(answer)) return false;
  const [given, known] = [cookieNamesOf(answer), cookieNamesOf(refusal)];
  const isElsewhere = other.status !== one.status || other.location !== one.location;
  // The first page of the account may be the response itself, with the status of a refusal. So may be a page that asks
  // for a CAPTCHA, but its session is that of every visitor.
  const isOtherPage = asksForPassword(refusal) && given.some((name) => !known.includes(name));
  const isGivenCookie = given.length > 0 && (isElsewhere || isOtherPage);
  return isGivenCookie || findToken(readJson(textOf(answer))) !== undefined;
}

const cookieNamesOf = ({ response }: Exchange) =>
  (response?.headers ?? []).flatMap(([name, value]) =>
    name.toLowerCase() === 'set-cookie' ? [value.split('=')[0]?.trim() ?? ''] : [],
  );

/** Returns whether the page has a form with a password. */
export const asksForPassword = (exchange: Exchange) =>
  passwordForm(readPage(textOf(exchange), exchange.request.url).forms) !== undefined;

/** The page of a server error is about the server: that of a debugger says that its console is locked. */
export const isLockedOut = (exchange: Exchange) =>
  !exchange.response ||
  [423, 429, 503].includes(exchange.response.status) ||
  LOCKED.test(headerOf(exchange.response.headers, 'location') ?? '') ||
  (exchange.response.status < 500 && LOCKED.test(textOf(exchange)));

/** Failed tries per user and site in the whole run, by all checks: targets lock accounts after a few. */
const MOST_TRIES = 3;
const TRIES = 'login-tries';

/** Counts failed tries before they are sent. Returns false, and counts none, where the user was tried often enough. */
export function reserveTries(
  memory: RunMemory,
  { url }: Pick<InventoryItem, 'url'>,
  user: string,
  tries: number,
): boolean {
  const subject = [new URL(url).origin, user.toLowerCase()];
  if (memory.countOf(TRIES, ...subject) + tries > MOST_TRIES) return false;
  for (let count = 0; count < tries; count++) memory.count(TRIES, ...subject);
  return true;
}

/** Resolves to the first pair that logs in. Ends at the first sign of a lock, and spares users tried often enough. */
export async function firstLetIn<Pair extends { user: string; password: string }>(
  item: InventoryItem,
  pairs: readonly Pair[],
  word: string,
  { askAsNewVisitor, memory }: Pick<Asking, 'askAsNewVisitor' | 'memory'>,
): Promise<Pair | undefined> {
  const { origin } = new URL(item.url);
  const refusal = await askAsNewVisitor(requestAs(item, word, word));
  if (isLockedOut(refusal)) return undefined;
  for (const pair of pairs) {
    const subject = [origin, pair.user.toLowerCase()];
    if (memory.countOf(TRIES, ...subject) >= MOST_TRIES) continue;
    const answer = await askAsNewVisitor(requestAs(item, pair.user, pair.password));
    // Counts also where it seems to log in: the proof tries this user again.
    memory.count(TRIES, ...subject);
    if (isLockedOut(answer)) return undefined;
    if (isLetIn(answer, refusal)) return pair;
  }
  return undefined;
}
