import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { jsonOf } from '../../crawl/inventory/json-leaves.ts';
import { requestOf, writeRequest } from '../../crawl/requests/write-request.ts';
import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';

type Sent = Omit<TargetRequest, 'purpose'>;

/** A request that proves a login: the URL of a page, or a whole request such as a GraphQL query. */
export type Candidate = string | Sent;

/** Header in which a token is sent, with an authentication scheme or as it is. */
export interface TokenHeader {
  name: string;
  scheme: string;
}

export interface LoginField {
  /** Name of a form field, or JSON pointer. */
  name: string;
  value: string;
  /** Written without quotes in JSON. */
  isLiteral?: boolean;
  role?: 'user' | 'pass';
  /** Sent with the first try; other fields only if the target asks for more than user and password. */
  isNeeded?: boolean;
}

/** A request that takes user and password, from the instructions or from a description of the target. */
export interface LoginRequest {
  /** Who names the fields, for messages: "as the instructions say". */
  how: string;
  url: string;
  kind: 'json' | 'form' | 'graphql' | 'xml';
  fields: readonly LoginField[];
  /** GraphQL only. */
  query?: string;
  /** SOAP only: the request with example values. */
  item?: InventoryItem;
  header?: TokenHeader | undefined;
  /** Requests that are likely to prove the login. */
  proofs: readonly Candidate[];
  /** Response to a request without credentials. A login with the same response was not evaluated. */
  toNobody?: Exchange;
}

interface Values {
  user: string;
  pass: string;
  /** Added at the top of the body. */
  more?: readonly LoginField[];
}

const typeOf = ({ kind }: Pick<LoginRequest, 'kind'>) =>
  kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';

/** Returns the request with the credentials; `isWhole` adds the fields that are not needed in the first place. */
export function writeLogin(request: LoginRequest, { user, pass, more = [] }: Values, isWhole = false): Sent {
  if (request.item) return withCredentials(request.item, request.fields, { user, pass });
  const chosen = request.fields.filter(({ role, isNeeded = false }) => isWhole || isNeeded || role !== undefined);
  const filled = [...chosen, ...more].map((field) => ({ ...field, value: valueFor(field, { user, pass }) }));
  const headers = [
    ['Content-Type', typeOf(request)],
    ['Accept', 'application/json'],
  ] as const;
  return { method: 'POST', url: request.url, headers, body: bodyOf(request, filled) };
}

/** Writes the values into the document of a remote procedure, one after the other. */
function withCredentials(
  item: InventoryItem,
  fields: readonly LoginField[],
  values: { user: string; pass: string },
): Sent {
  let written = item;
  for (const { name, role } of fields) {
    const parameter = item.parameters.find((each) => each.location === 'xml' && each.name === name);
    if (!role || !parameter) continue;
    const { body = '' } = writeRequest(written, { parameter, value: values[role], isRaw: false });
    written = { ...written, body: { type: item.body?.type ?? 'text/xml', text: body.toString() } };
  }
  return requestOf(written);
}

const valueFor = ({ role, value }: LoginField, values: { user: string; pass: string }) =>
  role === undefined ? value : values[role];

function bodyOf({ kind, query }: LoginRequest, fields: readonly LoginField[]): string {
  if (kind === 'form') {
    return new URLSearchParams(fields.map(({ name, value }): [string, string] => [plainName(name), value])).toString();
  }
  const pointed = fields.map(({ name, value, isLiteral = false }) => ({
    pointer: name.startsWith('/') ? name : `/${name}`,
    written: isLiteral ? value : JSON.stringify(value),
  }));
  const json = pointed.length > 0 ? jsonOf(pointed) : '{}';
  return kind === 'json' ? json : JSON.stringify({ query, variables: JSON.parse(json) });
}

const plainName = (name: string) => name.split('/').at(-1) ?? name;

/** Returns the same request in the other encoding, for a server that does not accept this one. */
export function inOtherEncoding(request: LoginRequest): LoginRequest | undefined {
  if (request.kind === 'graphql' || request.kind === 'xml') return undefined;
  return { ...request, kind: request.kind === 'json' ? 'form' : 'json' };
}
