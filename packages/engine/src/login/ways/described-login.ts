import { effectOf } from '../../crawl/effect/judge.ts';
import { credentialsOf, loginIn } from '../../crawl/effect/logs-in.ts';
import { plain } from '../../crawl/effect/plain.ts';
import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import { requestOf } from '../../crawl/requests/write-request.ts';
import type { Api } from '../find/read-api.ts';
import type { Candidate, LoginField, LoginRequest } from '../session/login-request.ts';
import { areTokens } from '../session/token-argument.ts';
import { readJson } from '../session/tokens.ts';

const BODY = new Set<Parameter['location']>(['form', 'json', 'graphql', 'multipart', 'xml']);
const DESCRIBED = 'as the API description says';
const MOST_REQUESTS = 4;
const MOST_PROOFS = 12;

/** Returns the described requests that take a user and a password, most likely first. */
export function describedLogins(api: Api, targetUrl: string): LoginRequest[] {
  const { origin } = new URL(targetUrl);
  const proofs = describedReads(api);
  const known = new Set<string>();
  const add = (url: string) => known.size < known.add(url).size && new URL(url).origin === origin;
  const grants = api.tokenUrls.filter(add).map((url) => passwordGrant(url, api, proofs));
  const found = api.items.flatMap((item) => {
    const fields = fieldsOf(item);
    return fields && new URL(item.url).origin === origin ? [{ item, fields }] : [];
  });
  const ranked = found.toSorted((a, b) => a.fields.length - b.fields.length);
  const others = ranked
    .filter(({ item }) => item.operation !== undefined || item.procedure !== undefined || add(item.url))
    .map(({ item, fields }) =>
      fields.some(({ name }) => name === 'grant_type')
        ? passwordGrant(item.url, api, proofs)
        : toRequest(item, fields, { header: api.header, proofs }),
    );
  return [...grants, ...others].slice(0, MOST_REQUESTS);
}

/** OAuth 2.0 resource owner password credentials grant (RFC 6749 §4.3). */
function passwordGrant(url: string, { header }: Api, proofs: readonly Candidate[]): LoginRequest {
  const fields: LoginField[] = [
    { name: 'grant_type', value: 'password', isNeeded: true },
    { name: 'username', value: '', role: 'user' },
    { name: 'password', value: '', role: 'pass' },
    { name: 'scope', value: '' },
  ];
  return { how: DESCRIBED, url, kind: 'form', fields, header, proofs };
}

const namesOf = (parameters: readonly Parameter[]) => parameters.map(({ name }) => name);
const wordsOf = ({ url, operation = '', procedure = '' }: InventoryItem) =>
  `${new URL(url).pathname} ${operation} ${plain(procedure)}`;

/** Returns undefined if the request is no login. Descriptions mark theirs; recorded requests have no words but their URL. */
function fieldsOf(item: InventoryItem): LoginField[] | undefined {
  const login = item.effect === 'logsIn' ? credentialsOf(item) : loginIn(item);
  if (!login) return undefined;
  const { user, pass } = login;
  const inBody = item.parameters.filter(({ location }) => BODY.has(location));
  return inBody.map((each) => ({
    name: each.name.replace(/^\/variables/, ''),
    value: each.value,
    ...(each.type !== undefined && { isLiteral: true }),
    ...(each === user && { role: 'user' as const }),
    ...(each === pass && { role: 'pass' as const }),
  }));
}

function toRequest(
  item: InventoryItem,
  fields: readonly LoginField[],
  { header, proofs }: Pick<LoginRequest, 'header' | 'proofs'>,
): LoginRequest {
  const { url, body, operation, procedure, parameters } = item;
  if (procedure !== undefined) return { how: 'as the WSDL says', url, kind: 'xml', item, fields, header, proofs };
  if (operation === undefined) {
    const isJson = parameters.some(({ location }) => location === 'json');
    return { how: DESCRIBED, url, kind: isJson ? 'json' : 'form', fields, header, proofs };
  }
  const { query = '' } = (readJson(body?.text ?? '') ?? {}) as { query?: string };
  const needed = new Set([...query.matchAll(/\$(\w+):\s*[\w[\]!]*!(?=[,)])/g)].map(([, name = '']) => name));
  const marked = fields.map((field) => ({ ...field, isNeeded: needed.has(field.name.split('/')[1] ?? '') }));
  return { how: 'as the GraphQL schema says', url, kind: 'graphql', query, fields: marked, header, proofs };
}

const OF_ACCOUNTS = /\bme\b|whoami|viewer|current|profile|account|\bmy|self|user|orders?|session/i;

/**
 * Returns described requests that only read, those about the account itself first. GraphQL queries may take the token;
 * `told` is another name for that argument.
 */
export function describedReads({ items }: Api, told?: string): Candidate[] {
  const reads = items.filter(({ method, url, effect, operation, procedure, parameters }) => {
    if (effect !== 'reads' || effectOf({ method: 'GET', url, label: operation }) === 'endangers') return false;
    // Elements with other names than tokens take example values, which the target may refuse.
    if (procedure !== undefined) return true;
    return operation === undefined
      ? method === 'GET' && parameters.every(({ location }) => location !== 'path')
      : operation.startsWith('query') && areTokens(namesOf(parameters), told);
  });
  const takesToken = ({ operation, parameters }: InventoryItem) => operation !== undefined && parameters.length > 0;
  const rank = (item: InventoryItem) => (OF_ACCOUNTS.test(wordsOf(item)) || takesToken(item) ? 0 : 1);
  return reads
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_PROOFS)
    .map((item) => (item.method === 'GET' ? item.url : requestOf(item)));
}
