import { xmlLeaves } from '../../crawl/inventory/xml-leaves.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { TokenHeader } from './login-request.ts';
import type { Attachment } from './token-argument.ts';

/** Most likely first. */
const TOKEN_KEYS = [
  /^access_?token$/i,
  /^(?:auth|bearer|session)_?token$/i,
  /^token$/i,
  /^jwt(?:_?token)?$/i,
  /^id_?token$/i,
  /^(?:auth|authentication|session|user|login|currentuser|credentials?)$/i,
  /^(?:access|access_?key|api_?key|key|ticket|sid|session_?id|authorization)$/i,
];
const TOKEN = /^[\w~+/.=|:-]{10,8000}$/;
const MOST_VALUES = 2_000;

/** Keys that name nothing but tokens. */
const SURE_KEYS = TOKEN_KEYS.slice(0, 5);

/** Returns the most likely access token in a response or in web storage. */
export function findToken(value: unknown, keys: readonly RegExp[] = TOKEN_KEYS): string | undefined {
  const found = textsIn(value).flatMap(({ key, token }) => {
    const rank = keys.findIndex((pattern) => pattern.test(key));
    return rank >= 0 && TOKEN.test(token) ? [{ rank, token }] : [];
  });
  return found.toSorted((a, b) => a.rank - b.rank)[0]?.token;
}

const SECRET_KEY = /token|jwt|secret|session|auth|pass|api_?key/i;
const SECRET = /^[\w~+/.=|:-]{16,8000}$/;
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const MOST_SECRETS = 10;

/** Returns the secrets to redact. IDs are not among them, because testers need them. */
export function secretsIn(value: unknown): string[] {
  const isSecret = ({ key, token }: { key: string; token: string }) =>
    JWT.test(token) || (SECRET_KEY.test(key) && SECRET.test(token));
  return textsIn(value)
    .filter(isSecret)
    .map(({ token }) => token)
    .slice(0, MOST_SECRETS);
}

/** Returns the strings in a value with their keys, including those in JSON nested in strings. */
export function textsIn(value: unknown): { key: string; token: string }[] {
  const found: { key: string; token: string }[] = [];
  const waiting: [key: string, value: unknown][] = [['token', value]];
  for (let count = 0; waiting.length > 0 && count < MOST_VALUES; count++) {
    const [key, one] = waiting.shift() ?? ['', undefined];
    if (typeof one === 'string') {
      const inner = readJson(one);
      if (inner !== undefined && typeof inner !== 'number') waiting.push([key, inner]);
      else found.push({ key, token: one.replace(/^bearer /i, '') });
    } else if (typeof one === 'object' && one !== null) {
      // In `{"token": {"value": …}}`, the name is one level up.
      waiting.push(
        ...Object.entries(one).map(([name, each]): [string, unknown] => [name === 'value' ? key : name, each]),
      );
    }
  }
  return found;
}

/** Returns undefined for invalid JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A token and, if it came in a response header, the name of that header. */
interface FoundToken {
  token: string;
  header?: string;
}

const TOKEN_HEADER = /^(?:authorization|(?:x-)?(?:[\w-]+-)?(?:auth|access|session|api|jwt|user)?-?(?:token|key|jwt))$/i;
const NO_LOGIN_HEADER = /csrf|xsrf|request|trace|idempotency|correlation|cache|surrogate/i;

/** Returns the token that a response issues in a header or in its JSON. */
export function tokenOf({ response }: Pick<Exchange, 'response'>, keys = TOKEN_KEYS): FoundToken | undefined {
  const header = response?.headers.find(
    ([name, value]) => TOKEN_HEADER.test(name) && !NO_LOGIN_HEADER.test(name) && TOKEN.test(value.replace(SCHEME, '')),
  );
  if (header) return { token: header[1].replace(SCHEME, ''), header: header[0] };
  const token = findToken(valuesIn(response?.body.toString() ?? ''), keys);
  return token === undefined ? undefined : { token };
}

/** Returns whether a response issues a token under a name that leaves no doubt. */
export const issuesToken = (exchange: Pick<Exchange, 'response'>) => tokenOf(exchange, SURE_KEYS) !== undefined;

/** Values of JSON, or of the elements of XML by their names. */
function valuesIn(text: string): unknown {
  if (!/^\s*<(?:\?xml|(?:[\w-]+:)?Envelope)/.test(text)) return readJson(text);
  return xmlLeaves(text).map(({ pointer, value }) => ({ [pointer.replace(/^.*[/@:]/s, '')]: value }));
}

const SCHEME = /^(?:bearer|token|jwt) /i;
const USUAL: readonly TokenHeader[] = [
  { name: 'Authorization', scheme: 'Bearer' },
  { name: 'Authorization', scheme: 'Token' },
  { name: 'Authorization', scheme: 'JWT' },
  { name: 'X-Auth-Token', scheme: '' },
  { name: 'X-Access-Token', scheme: '' },
  { name: 'X-API-Key', scheme: '' },
  { name: 'Authorization', scheme: '' },
];

/** Returns the ways in which the token may be sent, most likely first. What the instructions name may be an argument. */
export function attachmentsFor({ token, header }: FoundToken, told?: TokenHeader | undefined): Attachment[] {
  const own = header === undefined || /^authorization$/i.test(header) ? [] : [{ name: header, scheme: '' }];
  const all = [...(told ? [told] : []), ...own, ...USUAL];
  const written = all.map(({ name, scheme }) => [[name, scheme === '' ? token : `${scheme} ${token}`]] as const);
  const [first, ...others] = new Map(written.map((headers) => [JSON.stringify(headers), { headers }])).values();
  // Where no operation takes an argument for it, this one costs no request.
  const asArgument = { headers: [], argument: { token, name: told?.name } };
  return [...(first ? [first] : []), asArgument, ...others];
}
