import { effectOf } from '../../crawl/effect/judge.ts';
import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { readAnswer } from '../../crawl/readers/read-answer.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { tokenOf } from '../../login/session/tokens.ts';
import type { Asking, Known } from '../define-active-check.ts';
import type { Observation } from '../experiment.ts';
import type { PointRequest } from '../insertion-point.ts';
import { readsOnly } from './accounts.ts';
import { endsSession, LOGOUT } from './ends-session.ts';
import { findOwnAccounts, loggingIn, type OwnAccounts, passwordOf, registering } from './own-account.ts';
import { showsName } from './own-session.ts';

/** How accounts of the run log in with a token, a response that shows whose it is, and the request that logs out. */
export interface OwnToken extends OwnAccounts {
  page: string;
  /** Scheme of the Authorization header. */
  scheme: string;
  ending?: { method: string; url: string };
}

/** The usual scheme is tried at all pages, the others at the first ones. */
const SCHEMES = [
  { scheme: 'Bearer', most: 8 },
  { scheme: 'Token', most: 3 },
  { scheme: 'JWT', most: 3 },
] as const;
/** Paths that tell who is logged in. */
const OF_SESSION =
  /\/(?:me|whoami|who-am-i|self|profile|account|user|user-?info|current(?:-?user)?|session|identity)\/?$/i;

type Searching = Asking & { item: InventoryItem; word: string };

/**
 * Resolves to undefined where no account can be registered for this login, where it issues no token, or where no
 * response to the token shows the name. Checks share the result.
 */
export async function findOwnToken(asking: Searching): Promise<OwnToken | undefined> {
  const accounts = await findOwnAccounts(asking);
  return accounts && asking.memory.once(enterByToken, accounts, asking);
}

async function enterByToken(accounts: OwnAccounts, asking: Searching): Promise<OwnToken | undefined> {
  const { askAsNewVisitor, willChange, known, word } = asking;
  const name = `${word}t`;
  await willChange([]);
  const registered = await askAsNewVisitor(registering(accounts, name, passwordOf(name)));
  const entered = await askAsNewVisitor(loggingIn(accounts, name, passwordOf(name)));
  const token = tokenOf(entered)?.token;
  if (token === undefined) return undefined;
  const pages = pagesFor([entered, registered], accounts, known);
  for (const { scheme, most } of SCHEMES) {
    for (const page of pages.slice(0, most)) {
      const shown = await askAsNewVisitor(withToken({ method: 'GET', url: page }, scheme, token));
      if (!showsName(shown, name)) continue;
      const ending = endingFor([shown, entered], accounts, known);
      return { ...accounts, page, scheme, ...(ending && { ending }) };
    }
  }
  return undefined;
}

const linksIn = (exchange: Exchange) => {
  const answer = readAnswer(exchange, exchange.request.url);
  const next = [answer?.next, ...(answer?.made ?? [])].flatMap((url) =>
    url === undefined ? [] : [{ url, words: '' }],
  );
  return [...next, ...(answer?.links ?? [])];
};

const isAt = ({ login }: OwnAccounts, url: string) => new URL(url).origin === new URL(login.url).origin;

/** What the login and the registration link to comes first, then what is named like the user, then other data. */
function pagesFor(
  exchanges: readonly Exchange[],
  accounts: OwnAccounts,
  { inventory }: Pick<Known, 'inventory'>,
): string[] {
  const linked = exchanges
    .flatMap(linksIn)
    .map(({ url }) => url)
    .filter((url) => isAt(accounts, url) && effectOf({ method: 'GET', url }) === 'reads');
  const known = inventory
    .filter((item) => item.method === 'GET' && isAt(accounts, item.url) && readsOnly(item) && mayBeData(item))
    .map(({ url }) => url)
    .toSorted((a, b) => Number(isOfSession(b)) - Number(isOfSession(a)));
  return [...new Set([...linked, ...known])];
}

const isOfSession = (url: string) => OF_SESSION.test(new URL(url).pathname);
const mayBeData = ({ contentType, operation }: InventoryItem) =>
  operation === undefined && (contentType === '' || /json/i.test(contentType));

/** The request with the longest common path belongs to the login. */
function endingFor(
  exchanges: readonly Exchange[],
  accounts: OwnAccounts,
  { inventory, logouts = [] }: Pick<Known, 'inventory' | 'logouts'>,
): OwnToken['ending'] {
  const linked = exchanges
    .flatMap(linksIn)
    .filter(({ url, words }) => LOGOUT.test(`${new URL(url).pathname} ${words}`))
    .map(({ url }) => ({ method: 'POST', url, parameters: [] }));
  const known = [...logouts, ...inventory].toSorted((a, b) => shared(b.url, accounts) - shared(a.url, accounts));
  const found = [...linked, ...known].find((each) => isAt(accounts, each.url) && endsSession(each));
  return found && { method: found.method, url: found.url };
}

function shared(url: string, { login }: OwnAccounts): number {
  const [one, other] = [url, login.url].map((each) => new URL(each).pathname.split('/'));
  const differing = one?.findIndex((segment, index) => segment !== other?.[index]) ?? 0;
  return differing === -1 ? (one?.length ?? 0) : differing;
}

export const withToken = (request: PointRequest, scheme: string, token: string): PointRequest => ({
  ...request,
  headers: [...(request.headers ?? []), ['Authorization', `${scheme} ${token}`]],
});

/** Sends the token that the login with this key has returned; nothing where it returned none. */
export const byTokenOf =
  (key: string, request: PointRequest, scheme: string, change: (token: string) => string = (token) => token) =>
  (earlier: ReadonlyMap<string, Observation>): PointRequest | undefined => {
    const login = earlier.get(key);
    const token = login && tokenOf(login)?.token;
    return token === undefined ? undefined : withToken(request, scheme, change(token));
  };

/** Returns a token of the same form that was never issued: of a signed token, only the signature differs. */
export function inventedLike(token: string): string {
  const from = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) ? token.lastIndexOf('.') + 1 : 0;
  return token.slice(0, from) + token.slice(from).replace(/[a-z0-9]/gi, following);
}

const following = (character: string) =>
  /[9z]/i.test(character)
    ? ({ '9': '0', z: 'a', Z: 'A' }[character] ?? character)
    : String.fromCharCode(character.charCodeAt(0) + 1);
