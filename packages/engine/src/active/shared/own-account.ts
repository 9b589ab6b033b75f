import { effectOf } from '../../crawl/inventory/effect.ts';
import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import { isAboutCredentials } from '../../crawl/inventory/write-target.ts';
import { typeOfBody } from '../../crawl/requests/write-body.ts';
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
/** Each of these is valid for one request, and a plan has no response to read it from. */
const ONE_TIME = /csrf|xsrf|token|nonce|authenticity|captcha/i;

const inBody = ({ parameters }: InventoryItem) =>
  parameters.filter(({ location }) => location === 'form' || location === 'json');

const isSecret = ({ name }: Parameter) => PASSWORD.test(name) || REPEATED.test(name);

/** Returns the fields that name the new account: an e-mail address, a user name, or both. */
const namesIn = (item: InventoryItem) =>
  inBody(item).filter((each) => !isSecret(each) && (MAIL.test(each.name) || USER.test(each.name)));

/** Returns whether a request creates an account with a password that the sender chooses. */
function isRegistration(item: InventoryItem): boolean {
  const { method, url, effect = effectOf(method, url), operation } = item;
  const { pathname } = new URL(url);
  return (
    method === 'POST' &&
    effect === 'changes' &&
    operation === undefined &&
    (REGISTERS.test(pathname) || COLLECTION.test(pathname)) &&
    !isAboutCredentials(item) &&
    inBody(item).some(({ name }) => PASSWORD.test(name)) &&
    !inBody(item).some(({ name }) => ONE_TIME.test(name)) &&
    namesIn(item).length > 0
  );
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
  how: Pick<PlannedRequest, 'isControl' | 'change'> = {},
): PlannedRequest {
  return { label, request, session: { isNew: true }, as: null, answer: { isConfidential: true }, ...how };
}

const MOST_REGISTRATIONS = 2;

const registrationsAt = (origin: string, { inventory }: Pick<Known, 'inventory'>) =>
  inventory.filter((item) => item.url.startsWith(`${origin}/`) && isRegistration(item)).slice(0, MOST_REGISTRATIONS);

/** Returns the requests by which accounts of the run may be registered and logged in; none if one kind is missing. */
export function waysToRegister({ url }: Pick<InventoryItem, 'url'>, known: Known) {
  const { origin } = new URL(url);
  const [registrations, logins] = [registrationsAt(origin, known), loginsAt({ origin }, known)];
  return registrations.length > 0 && logins.length > 0 ? { registrations, logins } : { registrations: [], logins: [] };
}

type Registering = Asking & { item: Pick<InventoryItem, 'url'>; word: string };

/**
 * Resolves to requests by which an account of the run was registered and logged in, or to undefined. Checks share the
 * accounts of one origin if they call it with `memory.once`.
 */
export async function findOwnAccounts(_origin: string, asking: Registering): Promise<OwnAccounts | undefined> {
  const { known, askAsNewVisitor, willChange, item, word } = asking;
  const { registrations, logins } = waysToRegister(item, known);
  for (const [index, register] of registrations.entries()) {
    const name = `${word}${index}`;
    await willChange([]);
    await askAsNewVisitor(registering({ register }, name, passwordOf(name)));
    for (const login of logins) {
      for (const { name: nameField } of namesIn(register)) {
        const accounts = { register, login, nameField };
        const refusal = await askAsNewVisitor(loggingIn(accounts, name, otherPasswordOf(name)));
        const answer = await askAsNewVisitor(loggingIn(accounts, name, passwordOf(name)));
        if (!isLockedOut(refusal) && isLetIn(answer, refusal)) return accounts;
      }
    }
  }
  return undefined;
}
