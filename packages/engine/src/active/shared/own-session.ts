import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { readPage } from '../../crawl/readers/read-page.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { headerOf, headerValues } from '../../http/exchange/headers.ts';
import { textOf } from '../../oracle/private-content.ts';
import type { Asking, Known } from '../define-active-check.ts';
import type { PlannedRequest } from '../experiment.ts';
import type { PointRequest } from '../insertion-point.ts';
import { readsOnly } from './accounts.ts';
import { LOGOUT } from './ends-session.ts';
import { findOwnAccounts, loggingIn, type OwnAccounts, passwordOf, registering } from './own-account.ts';

/** How accounts of the run log in with a cookie, a page that shows who they are, and the link that logs out. */
export interface OwnSession extends OwnAccounts {
  page: string;
  logout?: string;
}

const MOST_PAGES = 6;

type Searching = Asking & { item: InventoryItem; word: string };

/**
 * Resolves to undefined where no account can be registered for this login, where it sets no cookie, or where no page
 * shows the name. Checks share the result.
 */
export async function findOwnSession(asking: Searching): Promise<OwnSession | undefined> {
  const accounts = await findOwnAccounts(asking);
  return accounts && asking.memory.once(enterWith, accounts, asking);
}

async function enterWith(accounts: OwnAccounts, asking: Searching): Promise<OwnSession | undefined> {
  const { askAsNewVisitor, willChange, known, word } = asking;
  const { origin } = new URL(accounts.login.url);
  const name = `${word}s`;
  await willChange([]);
  await askAsNewVisitor(registering(accounts, name, passwordOf(name)));
  const entered = await askAsNewVisitor(loggingIn(accounts, name, passwordOf(name)));
  const cookies = cookiesOf(entered);
  if (cookies === '') return undefined;
  for (const url of pagesFor(entered, origin, known)) {
    const shown = await askAsNewVisitor({ method: 'GET', url, headers: [['Cookie', cookies]] });
    if (!showsName(shown, name)) continue;
    const logout = readPage(textOf(shown), url).links.find(
      (link) => link.url.startsWith(`${origin}/`) && LOGOUT.test(`${new URL(link.url).pathname} ${link.words}`),
    );
    return { ...accounts, page: url, ...(logout && { logout: logout.url }) };
  }
  return undefined;
}

/** Returns the cookies that a response sets, as a browser sends them. */
export const cookiesOf = ({ response }: Exchange) =>
  headerValues(response?.headers ?? [], 'set-cookie')
    .map((line) => line.split(';', 1)[0]?.trim() ?? '')
    .filter((pair) => /^[^=]+=./.test(pair))
    .join('; ');

/** The page that the login leads to comes first, then those that only accounts have seen. */
function pagesFor(entered: Exchange, origin: string, { inventory }: Pick<Known, 'inventory'>): string[] {
  const next = URL.parse(headerOf(entered.response?.headers ?? [], 'location') ?? '', entered.request.url)?.href;
  const pages = inventory
    .filter((item) => item.method === 'GET' && /html/i.test(item.contentType) && readsOnly(item))
    .toSorted((a, b) => Number(a.seenAs === null) - Number(b.seenAs === null))
    .map(({ url }) => url);
  const all = [...(next === undefined ? [] : [next]), ...pages].filter((url) => url.startsWith(`${origin}/`));
  return [...new Set(all)].slice(0, MOST_PAGES);
}

/** The names of the run's accounts are random: a page shows one only to whom it belongs. */
export const showsName = (exchange: Exchange, name: string) =>
  exchange.response?.status === 200 && textOf(exchange).includes(name);

/** Plans a request in a session that several requests share. */
export function plannedIn(
  shared: string,
  label: string,
  request: PointRequest,
  { isFrozen, ...how }: Pick<PlannedRequest, 'isControl' | 'change' | 'written'> & { isFrozen?: boolean } = {},
): PlannedRequest {
  const session = { shared, ...(isFrozen && { isFrozen }) };
  return { label, request, session, as: null, answer: { isConfidential: true }, ...how };
}
