import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import { findToken } from '../../login/session/tokens.ts';
import { readJson, textOf } from '../../oracle/private-content.ts';
import type { Asking, Known, Site } from '../define-active-check.ts';
import type { Observation } from '../experiment.ts';
import type { PointRequest } from '../insertion-point.ts';
import {
  findOwnAccounts,
  firstOfEachType,
  inBody,
  isOneTime,
  isSecret,
  nameFor,
  namesIn,
  type OwnAccounts,
  waysToRegister,
} from './own-account.ts';
import { findOwnSession } from './own-session.ts';
import { findOwnToken } from './own-token.ts';
import { requestWithAll } from './stored-marks.ts';

const CURRENT = /old|current|existing|previous|actual|present/i;
/** Names that mean a password only in a request that changes one. */
const BARE_CURRENT = /^\/?(?:current|old|existing|previous)$/i;
const BARE_NEXT = /^\/?(?:new|next|repeat(?:ed)?|again)$/i;
/** A GET whose path does not say that it sets the password shows a form for it. */
const SETS = /chang|updat|(?<![a-z])(?:set|edit)/i;
const CHANGES_PASSWORD = /passw(?:or)?d|pwd|credential/i;
const RESETS = /forg[eo]t|recover|(?<![a-z])reset|lost|remind|passw(?:or)?d/i;
/** Of each type of body. */
const MOST_CHANGES = 3;
const MOST_RESETS = 2;

const at = ({ origin }: Site, { inventory }: Pick<Known, 'inventory'>) =>
  inventory.filter(({ url, operation }) => url.startsWith(`${origin}/`) && operation === undefined);

const isPlain = (item: InventoryItem) => !inBody(item).some(isOneTime);
const isCurrent = ({ name }: Parameter) => (CURRENT.test(name) && /pass|pwd/i.test(name)) || BARE_CURRENT.test(name);
const isNext = (each: Parameter) => !isCurrent(each) && (isSecret(each) || BARE_NEXT.test(each.name));

/** Returns the values that the request is about: a GET has them in its query. */
const fieldsOf = (item: InventoryItem) =>
  item.method === 'GET' ? item.parameters.filter(({ location }) => location === 'query') : inBody(item);

/** Returns whether the request sets the password of the user who is logged in. */
export function setsPassword(item: InventoryItem): boolean {
  const { pathname } = new URL(item.url);
  return (
    item.operation === undefined &&
    (item.method !== 'GET' || SETS.test(pathname)) &&
    CHANGES_PASSWORD.test(pathname) &&
    !RESETS_ONLY.test(pathname) &&
    fieldsOf(item).some(isNext) &&
    namesIn(item).length === 0 &&
    isPlain(item)
  );
}

function passwordChangesAt({ origin }: Site, { inventory, passwordChanges = [] }: KnownChanges): InventoryItem[] {
  const changes = [...inventory, ...passwordChanges].filter(
    (item) => item.url.startsWith(`${origin}/`) && setsPassword(item),
  );
  const different = [...new Map(changes.map((item) => [`${item.method} ${item.url}`, item])).values()];
  return firstOfEachType(different, MOST_CHANGES);
}

type KnownChanges = Pick<Known, 'inventory' | 'passwordChanges'>;

/** The link of a reset mail carries a token that the run does not have. */
const RESETS_ONLY = /forg[eo]t|recover|(?<![a-z])reset|lost/i;

/** Returns the requests by which users who forgot their password ask for another one. */
export function resetsAt(site: Site, known: Pick<Known, 'inventory'>): InventoryItem[] {
  const resets = at(site, known).filter(
    (item) =>
      item.method === 'POST' &&
      RESETS.test(new URL(item.url).pathname) &&
      namesIn(item).length === 1 &&
      !inBody(item).some(isSecret) &&
      isPlain(item),
  );
  return resets.slice(0, MOST_RESETS);
}

/** Returns the request that sets the password; `current` is the one that it claims to know, null if it names none. */
export function changingPassword(change: InventoryItem, current: string | null, next: string): PointRequest {
  const item = current === null ? withoutCurrent(change) : change;
  const values = fieldsOf(item).flatMap((each) => {
    if (isCurrent(each)) return current === null ? [] : [[each, current] as const];
    return isNext(each) ? [[each, next] as const] : [];
  });
  return requestWithAll(item, values);
}

function withoutCurrent({ body: _written, ...item }: InventoryItem): InventoryItem {
  const left = fieldsOf(item).filter(isCurrent);
  const url = new URL(item.url);
  for (const { location, name } of left) if (location === 'query') url.searchParams.delete(name);
  return { ...item, url: url.href, parameters: item.parameters.filter((each) => !left.includes(each)) };
}

/** Returns the request of a reset for the account of this word. */
export function resetting(reset: InventoryItem, accounts: Pick<OwnAccounts, 'register'>, word: string): PointRequest {
  return requestWithAll(
    reset,
    namesIn(reset).map((each) => [each, nameFor(accounts, each, word)] as const),
  );
}

/** Resolves to the registrations of the site whose accounts can log in. */
export async function ownAccountsAt({ origin }: Site, word: string, asking: Asking): Promise<OwnAccounts[]> {
  const found: OwnAccounts[] = [];
  for (const item of waysToRegister({ url: `${origin}/` }, asking.known).registrations) {
    const accounts = await findOwnAccounts({ ...asking, item, word });
    if (accounts && !found.includes(accounts)) found.push(accounts);
  }
  return found;
}

/** A request that changes passwords, how accounts of the run log in to use it, and a page that shows their name. */
export interface PasswordChange {
  own: OwnAccounts;
  page?: string;
  /** Scheme of the Authorization header, where a token opens the page. */
  scheme?: string;
  change: InventoryItem;
  /** The request says nothing about the current password. */
  isSilent?: boolean;
}

type OwnLogin = OwnAccounts & Pick<PasswordChange, 'page' | 'scheme'>;

/** Resolves to all ways in which accounts of the run log in, one for each registration. */
export async function ownLoginsAt({ origin }: Site, word: string, asking: Asking): Promise<OwnLogin[]> {
  const found: OwnLogin[] = [];
  for (const item of waysToRegister({ url: `${origin}/` }, asking.known).registrations) {
    const searching = { ...asking, item, word };
    const own =
      (await findOwnSession(searching)) ?? (await findOwnToken(searching)) ?? (await findOwnAccounts(searching));
    if (own && !found.includes(own)) found.push(own);
  }
  return found;
}

export const mayChangePassword = (site: Site, known: Known) =>
  passwordChangesAt(site, known).length > 0 &&
  waysToRegister({ url: `${site.origin}/` }, known).registrations.length > 0;

/** Resolves to the changes of passwords that accounts of the run can make. */
export async function passwordChangesOfOwn(site: Site, word: string, asking: Asking): Promise<PasswordChange[]> {
  const owns = await ownLoginsAt(site, word, asking);
  return passwordChangesAt(site, asking.known).flatMap((change) => {
    const own = nearestOf(owns, change.url);
    if (!own) return [];
    const { page, scheme } = own;
    return [{ own, change, ...(page !== undefined && { page }), ...(scheme !== undefined && { scheme }) }];
  });
}

/** Returns the same changes, and those of them that leave the current password out. */
export const alsoSilent = (changes: readonly PasswordChange[]): PasswordChange[] => [
  ...changes,
  ...changes.filter(({ change }) => fieldsOf(change).some(isCurrent)).map((each) => ({ ...each, isSilent: true })),
];

/** Sends the token that the login with this key has returned, where it returned one. */
export const withTokenOf =
  (key: string, request: PointRequest) =>
  (earlier: ReadonlyMap<string, Observation>): PointRequest => {
    const login = earlier.get(key);
    const token = login && findToken(readJson(textOf(login)));
    if (token === undefined) return request;
    return { ...request, headers: [...(request.headers ?? []), ['Authorization', `Bearer ${token}`]] };
  };

/** A site can have several groups of users: the session that shares most of the path with the request fits it. */
export function nearestOf<Own extends Pick<OwnAccounts, 'login'>>(owns: readonly Own[], url: string): Own | undefined {
  const segments = (each: string) => new URL(each).pathname.split('/').slice(0, -1);
  const shared = ({ login }: Own) =>
    segments(login.url).filter((segment, index) => segment === segments(url)[index]).length;
  return owns.toSorted((a, b) => shared(b) - shared(a))[0];
}
