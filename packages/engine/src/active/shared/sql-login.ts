import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import type { Asking } from '../define-active-check.ts';
import type { Nonce, PlannedRequest } from '../experiment.ts';
import { type PointRequest, requestWith } from '../insertion-point.ts';

const PASSWORD = /pass|pwd|kennwort|contrase|mot_?de_?passe|senha|secret/i;
/** Registration and account forms have a password field too. */
const OTHER_PURPOSE =
  /regist|sign[-_]?up|create|reset|forgot|change|confirm|invite|(?:users|accounts|customers|members)\/?$/i;
const NAME = /user|mail|login|name|account|^id$|identifier/i;

const passwordsOf = ({ parameters }: InventoryItem) => parameters.filter(({ name }) => PASSWORD.test(name));

/** Returns the first parameter with a password. */
export const passwordOf = (item: InventoryItem): Parameter | undefined => passwordsOf(item)[0];

/** Returns the parameter with the user name. */
export function nameOf(item: InventoryItem): Parameter | undefined {
  const others = item.parameters.filter(({ location, name }) => location !== 'query' && !PASSWORD.test(name));
  return others.find(({ name }) => NAME.test(name)) ?? others[0];
}

/** Returns the request with these credentials. */
export function logInWith(item: InventoryItem, name: string, password: string): PointRequest {
  const [secret, user] = [passwordOf(item), nameOf(item)];
  if (!secret || !user) throw new Error('is no login');
  const replaced = (parameter: Parameter) => (parameter === secret ? { ...parameter, value: password } : parameter);
  const { body } = requestWith({ item, parameter: secret }, password);
  const changed: InventoryItem = { ...item, parameters: item.parameters.map(replaced) };
  if (item.body) changed.body = { ...item.body, text: String(body) };
  return requestWith({ item: changed, parameter: user }, name);
}

/** Returns whether a request takes a user name and one password, and is no registration or account form. */
export const isSqlLogin = (item: InventoryItem) =>
  item.method === 'POST' &&
  passwordsOf(item).length === 1 &&
  nameOf(item) !== undefined &&
  !OTHER_PURPOSE.test(new URL(item.url).pathname);

/** What ends the user name before a condition. */
export const NAME_ENDS: readonly string[] = ["'", '"', "')"];

/** Returns a random user name that ends in a condition. */
export function conditionIn(before: string, { word }: Nonce, condition: string): string {
  return `${word}${before} OR ${condition}-- -`;
}

/** A doubled quote does not end the string. A filter for conditions that are always true blocks this one as well. */
export function quotedCondition(before: string, nonce: Nonce, condition: string): string {
  return nonce.word + before.charAt(0) + conditionIn(before, nonce, condition).slice(nonce.word.length);
}

/** Plans a login in a session of its own, because the target may keep what a login left. */
export function plannedLogin(
  item: InventoryItem,
  label: string,
  name: string,
  { word }: Nonce,
  how: Pick<PlannedRequest, 'isControl'> = {},
): PlannedRequest {
  return { label, request: logInWith(item, name, word), session: { isNew: true }, ...how };
}

/** Returns a function that sends a login with a user name and a random password as a new visitor. */
export function loginSender(
  item: InventoryItem,
  { word }: Nonce,
  { askAsNewVisitor }: Pick<Asking, 'askAsNewVisitor'>,
) {
  return (name: string) => askAsNewVisitor(logInWith(item, name, word));
}
