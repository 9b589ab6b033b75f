import { effectOf } from '../../crawl/effect/judge.ts';
import { isAboutCredentials } from '../../crawl/effect/write-target.ts';
import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import { typeOfBody } from '../../crawl/requests/write-body.ts';
import { FORM_TOKEN } from '../../login/session/fresh-form-tokens.ts';
import type { Asking, Known } from '../define-active-check.ts';
import type { PlannedRequest } from '../experiment.ts';
import type { PointRequest } from '../insertion-point.ts';
import { isLetIn, isLockedOut, loginsAt, requestAs } from './login-attempts.ts';
import { requestWithAll } from './stored-marks.ts';

const REGISTERS = /regist|sign[-_]?up|join|enroll|(?:creat|add|new)\w*[-_/]?(?:user|account|member|customer)?\/?$/i;
const COLLECTION = /\/(?:users|accounts|members|customers)\/?$/i;
const PASSWORD = /pass(?:word|wd|phrase)?(?:[-_]?(?:\d|confirm\w*|again|repeat\w*|check))?$|pwd\d?$/i;
/** Repeats the password under a name of its own, such as `confirm` or `repeatPassword`. */
const REPEATED = /(?:^|[/_-])(?:confirm\w*|repeat\w*|retype\w*|verify\w*|password_?repeat)$/i;
const MAIL = /e-?mail$/i;
const USER = /user_?(?:name|id)?$|login$|nick_?name$|account_?name$|(?:^|\/)name$/i;

/** Returns whether a value has to be read from a response: those of forms are read by the session of a new visitor. */
export const isOneTime = ({ name, location }: Parameter) =>
  /captcha/i.test(name) || (FORM_TOKEN.test(name) && location !== 'form');

export const inBody = ({ parameters }: InventoryItem) =>
  parameters.filter(({ location }) => location === 'form' || location === 'json');

export const isSecret = ({ name }: Parameter) => PASSWORD.test(name) || REPEATED.test(name);

/** Returns the fields that name the new account: an e-mail address, a user name, or both. */
export const namesIn = (item: InventoryItem) =>
  inBody(item).filter((each) => !isSecret(each) && (MAIL.test(each.name) || USER.test(each.name)));

/** Returns whether a request creates an account with a password that the sender chooses. */
function isRegistration(item: InventoryItem): boolean {
  const { method, url, operation } = item;
  // First what is cheap: plans ask it of every request that is known.
  if (method !== 'POST' || !inBody(item).some(({ name }) => PASSWORD.test(name))) return false;
  const { effect = effectOf({ method, url }) } = item;
  const { pathname } = new URL(url);
  return (
    effect === 'changes' &&
    operation === undefined &&
    (REGISTERS.test(pathname) || COLLECTION.test(pathname)) &&
    !isAboutCredentials(item) &&
    !inBody(item).some(isOneTime) &&
    namesIn(item).length > 0
  );
}

/** Returns the value by which the account of this word is known in a field of another request. */
export function nameFor({ register }: Pick<OwnAccounts, 'register'>, field: Parameter, word: string): string {
  const isMail = (each: Parameter) => MAIL.test(each.name) || each.value.includes('@');
  const own = namesIn(register).find((each) => isMail(each) === isMail(field)) ?? namesIn(register)[0];
  return valueFor(own ?? field, word);
}

/** The customer sees the account on the target, so its name has the marker of the run. */
const valueFor = ({ name, value }: Parameter, word: string) =>
  MAIL.test(name) || value.includes('@') ? `${word}@${value.split('@')[1] ?? 'example.com'}` : word;

/** A request that registers accounts, one that logs them in, and the field whose value the login takes. */
export interface OwnAccounts {
  register: InventoryItem;
  login: InventoryItem;
  nameField: string;
}

/** A page may have a form and a script that send the same fields to the same URL, the script as JSON. */
export const isSameRequest = (one: InventoryItem, other: InventoryItem) =>
  one.method === other.method && one.url === other.url && typeOfBody(one) === typeOfBody(other);

/** Returns the request that registers an account under a name of the run's own. */
export function registering({ register }: Pick<OwnAccounts, 'register'>, word: string, password: string): PointRequest {
  const names = namesIn(register).map((each) => [each, valueFor(each, word)] as const);
  const secrets = inBody(register).flatMap((each) => (isSecret(each) ? [[each, password] as const] : []));
  return requestWithAll(register, [...names, ...secrets]);
}

/** Returns the login of the account that `registering` creates with the same word. */
export function loggingIn({ register, login, nameField }: OwnAccounts, word: string, password: string): PointRequest {
  const field = namesIn(register).find(({ name }) => name === nameField);
  return requestAs(login, field ? valueFor(field, word) : word, password);
}

/** Satisfies the usual rules for passwords: length, both cases, a digit and a special character. */
export const passwordOf = (word: string) => `${word.slice(0, 10)}!Aa1`;
export const otherPasswordOf = (word: string) => `${word.slice(0, 10)}!Bb2`;

/** Plans a request of the run's own account, in a session of its own. */
export function plannedFor(
  label: string,
  request: PointRequest,
  { answer, ...how }: Pick<PlannedRequest, 'isControl' | 'change' | 'answer' | 'written'> = {},
): PlannedRequest {
  const session = { isNew: true };
  return { label, request, session, as: null, answer: { isConfidential: true, ...answer }, ...how };
}

/** Plans the registration of an account of the run, which stays on the target. */
export const plannedRegistration = (
  accounts: Pick<OwnAccounts, 'register'>,
  word: string,
  password: string,
): PlannedRequest =>
  plannedFor('account of the run registered', registering(accounts, word, password), {
    isControl: true,
    change: { leavesTraces: true },
  });

/** Of each type of body: an API often has a registration besides that of the pages. */
const MOST_REGISTRATIONS = 3;
/** Logins that are tried with an account that a registration has created. */
const MOST_LOGINS = 3;

const registrationsAt = (origin: string, { inventory }: Pick<Known, 'inventory'>) =>
  inventory.filter((item) => item.url.startsWith(`${origin}/`) && isRegistration(item));

/** Returns the number of leading path segments that both URLs have in common. */
function nearness(one: string, other: string): number {
  const [a, b] = [one, other].map((url) => new URL(url).pathname.split('/').slice(0, -1));
  const differing = (a ?? []).findIndex((segment, index) => segment !== b?.[index]);
  return differing === -1 ? (a ?? []).length : differing;
}

/** A site can have several groups of users, each with a registration and a login in one folder. */
const loginsFor = (register: InventoryItem, known: Known) =>
  loginsAt({ origin: new URL(register.url).origin }, known, Number.POSITIVE_INFINITY)
    .toSorted((a, b) => nearness(b.url, register.url) - nearness(a.url, register.url))
    .slice(0, MOST_LOGINS);

/** Returns the requests to the first URLs of each type of body. */
export function firstOfEachType(items: readonly InventoryItem[], most: number): InventoryItem[] {
  const urls = new Map<string, Set<string>>();
  return items.filter((item) => {
    const type = typeOfBody(item).replace(/;.*/s, '');
    const known = urls.get(type) ?? new Set();
    urls.set(type, known);
    if (known.size < most) known.add(item.url);
    return known.has(item.url);
  });
}

/** Returns the requests by which accounts of the run may be registered and logged in; none if one kind is missing. */
export function waysToRegister({ url }: Pick<InventoryItem, 'url'>, known: Known) {
  const { origin } = new URL(url);
  // A page may have a form and a script for one registration.
  const registrations = firstOfEachType(registrationsAt(origin, known), MOST_REGISTRATIONS);
  const logins = [...new Set(registrations.flatMap((register) => loginsFor(register, known)))];
  return registrations.length > 0 && logins.length > 0 ? { registrations, logins } : { registrations: [], logins: [] };
}

/** Returns whether accounts of the run may be registered with the request. */
export const registersAccounts = (item: InventoryItem, known: Known) =>
  sameRequests(item, known).some(isRegistration) &&
  waysToRegister(item, known).registrations.some((register) => isSameRequest(register, item));

/** Returns whether accounts that the run has registered may be logged in with the request. */
export const logsInAccounts = (item: InventoryItem, known: Known) =>
  loginsAt(new URL(item.url), { ...known, inventory: sameRequests(item, known) }).length > 0 &&
  waysToRegister(item, known).logins.some((login) => isSameRequest(login, item));

/** Plans ask of every request, and finding all ways takes long: mostly, these few show that it is none of them. */
const sameRequests = (item: InventoryItem, { inventory }: Known) =>
  inventory.filter((other) => isSameRequest(other, item));

type Registering = Asking & { item: InventoryItem; word: string };

/**
 * Resolves to requests by which an account of the run was registered and logged in, if the item is one of them. Checks
 * share the accounts of each registration.
 */
export async function findOwnAccounts(asking: Registering): Promise<OwnAccounts | undefined> {
  const { item, known, memory } = asking;
  const { registrations } = waysToRegister(item, known);
  const nearest = registrations.toSorted((a, b) => nearness(b.url, item.url) - nearness(a.url, item.url));
  for (const register of nearest) {
    const accounts = await memory.once(registerAt, register, asking);
    if (accounts && [accounts.login, accounts.register].some((each) => isSameRequest(each, item))) return accounts;
  }
  return undefined;
}

async function registerAt(register: InventoryItem, asking: Registering): Promise<OwnAccounts | undefined> {
  const { known, askAsNewVisitor, willChange, word } = asking;
  const name = `${word}${waysToRegister(register, known).registrations.indexOf(register)}`;
  await willChange([]);
  await askAsNewVisitor(registering({ register }, name, passwordOf(name)));
  for (const login of loginsFor(register, known)) {
    for (const { name: nameField } of namesIn(register)) {
      const accounts = { register, login, nameField };
      const refusal = await askAsNewVisitor(loggingIn(accounts, name, otherPasswordOf(name)));
      const answer = await askAsNewVisitor(loggingIn(accounts, name, passwordOf(name)));
      if (!isLockedOut(refusal) && isLetIn(answer, refusal)) return accounts;
    }
  }
  return undefined;
}
