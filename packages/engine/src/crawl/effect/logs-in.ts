import type { RequestLabels } from '../inventory/effects.ts';
import type { InventoryItem, Parameter } from '../inventory/inventory.ts';
import { dangerIn, dangerInUrl } from './danger-words.ts';

const LOGIN = /log[\s_-]?in|sign[\s_-]?in|authenticat|\bauth\b|sessions?\b|token|\bjwt\b|anmeld|connexion|credentials/i;
const OTHER_PURPOSE =
  /regist|sign[\s_-]?up|forgot|reset|verif|confirm|change|update|invite|delete|remove|refresh|revoke|log[\s_-]?out/i;
/** A summary may name what else is checked: "Verifies the password and issues a token". */
const SAID_OTHERWISE =
  /regist|sign(?:ing|s)?[\s_-]?up|\b(?:creat|add|invit|insert)\w*\s+(?:(?:an?|the|new|another|one)\s+)*(?:user|account|customer|member|person|profile|employee)|\b(?:chang|reset|updat|set|forg[eo]t|recover)\w*\s.{0,30}pass/i;
const CREATES_USER = /(?:creat|add|insert|new|save)[\s_-]?(?:user|account|customer|member|person|profile)/i;
const COLLECTION = /\/(?:users|accounts|members|customers|people)\/?$/i;
const PASS = /pass(?:word|wd|phrase|wort|code)?$|^pwd$|^pw$|kennwort$|^secret$|^pin$/i;
const NO_LOGIN_PASS = /new|old|current|confirm|repeat|again|hint/i;
/** Most likely first. */
const USER_NAMES = [
  /^(?:user_?name|user|login|e-?mail|mail|identifier)$/i,
  /user|e-?mail|login|account|phone/i,
  /name$/i,
];
const BODY = new Set<Parameter['location']>(['form', 'json', 'graphql', 'multipart', 'xml']);

export type LoginAsked = Pick<InventoryItem, 'method' | 'url' | 'parameters'> &
  Partial<Pick<InventoryItem, 'operation' | 'procedure' | 'body'>>;

/** Parameters of a request body that take the credentials of an account. */
interface Credentials {
  user: Parameter;
  pass: Parameter;
}

/** Elements of XML have the prefix of their namespace. */
const leafOf = (name: string) => (name.split('/').at(-1) ?? name).replace(/^[\w.-]+:/, '');

/** Returns undefined if the body does not take exactly one password together with a name. */
export function credentialsOf({ parameters }: Pick<LoginAsked, 'parameters'>): Credentials | undefined {
  const inBody = parameters.filter(({ location }) => BODY.has(location));
  const [pass, ...others] = inBody.filter(({ name }) => PASS.test(leafOf(name)));
  if (!pass || others.length > 0 || NO_LOGIN_PASS.test(leafOf(pass.name))) return undefined;
  const texts = inBody.filter((each) => each !== pass && each.type === undefined);
  const byName = USER_NAMES.map((pattern) => texts.find(({ name }) => pattern.test(leafOf(name)))).find(Boolean);
  const user = byName ?? (texts.length === 1 ? texts[0] : undefined);
  return user && { user, pass };
}

/**
 * Returns the credentials that a request logs in with. Returns undefined unless its URL, its names or what describes it
 * speak of a login: a request that takes a name and a password may as well create a user or change a password.
 */
export function loginIn(
  item: LoginAsked,
  { names = [], prose = [] }: Pick<RequestLabels, 'names' | 'prose'> = {},
): Credentials | undefined {
  const { method, url, procedure = '', operation = procedure } = item;
  if (method !== 'POST' || operation.startsWith('query')) return undefined;
  if (dangerInUrl(url, true) || dangerIn(operation)) return undefined;
  const { pathname } = new URL(url);
  const named = [pathname, operation, ...names].map(spaced).join('\n');
  if (OTHER_PURPOSE.test(named) || CREATES_USER.test(named)) return undefined;
  if (operation === '' && COLLECTION.test(pathname)) return undefined;
  const said = prose.find((each) => each !== '') ?? '';
  if (SAID_OTHERWISE.test(said)) return undefined;
  const isLogin = LOGIN.test(`${named}\n${said}`) || LOGIN.test(selectionOf(item));
  return isLogin ? credentialsOf(item) : undefined;
}

/** Splits camel case: `userLogin`. */
const spaced = (name: string) => name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');

/** A mutation that returns a token or a session is a login, whatever its name. */
function selectionOf({ operation, body }: LoginAsked): string {
  if (operation === undefined) return '';
  const [, selection = ''] = /\{[^{]*(\{.*)"\s*,\s*"variables"/s.exec(body?.text ?? '') ?? [];
  return selection.replaceAll('\\n', ' ');
}
