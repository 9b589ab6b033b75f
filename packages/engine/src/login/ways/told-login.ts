import { jsonLeaves } from '../../crawl/inventory/json-leaves.ts';
import type { LoginInstructions } from '../find/instructions.ts';
import type { LoginField, LoginRequest } from '../session/login-request.ts';
import { readJson } from '../session/tokens.ts';

const HOW = 'as the instructions say';

/** Returns the request that the instructions describe: with a whole body, or with both field names. */
export function toldLogins(told: LoginInstructions, places: readonly string[], targetUrl: string): LoginRequest[] {
  const { body, userField, passField, header, values, isRequest } = told;
  const [url = targetUrl, ...proofs] = places;
  if (body) {
    const request = fromBody(body, { how: HOW, url, header, proofs });
    return request ? [request] : [];
  }
  if (!isRequest || userField === undefined || passField === undefined || places.length === 0) return [];
  const others = [...values].map(([name, value]): LoginField => ({ name, value, isNeeded: true }));
  const named = (name: string) => name.replaceAll('.', '/');
  const fields: LoginField[] = [
    { name: named(userField), value: '', role: 'user' },
    { name: named(passField), value: '', role: 'pass' },
    ...others,
  ];
  return [{ how: HOW, url, kind: 'json', fields, header, proofs }];
}

type Rest = Pick<LoginRequest, 'how' | 'url' | 'header' | 'proofs'>;

function fromBody({ kind, text }: NonNullable<LoginInstructions['body']>, rest: Rest): LoginRequest | undefined {
  if (kind === 'graphql') return fromDocument(text, rest);
  if (kind === 'form') {
    const fields = [...new URLSearchParams(text)].map(([name, value]) => fieldOf(name, value));
    return { ...rest, kind, fields };
  }
  if (readJson(text) === undefined) return undefined;
  const fields = jsonLeaves(text).map(({ pointer, value, type }) => ({
    ...fieldOf(pointer, value),
    isLiteral: type !== 'string',
  }));
  return { ...rest, kind, fields };
}

function fieldOf(name: string, value: string): LoginField {
  const role = value === '{user}' ? ('user' as const) : value === '{pass}' ? ('pass' as const) : undefined;
  return { name, value, isNeeded: true, ...(role && { role }) };
}

const VARIABLES = ['$user: String!', '$pass: String!'];

/** Passes the credentials as variables, so that no character of a password can end a string of the document. */
function fromDocument(text: string, rest: Rest): LoginRequest {
  const query = text
    .replace(/"\{user\}"|\{user\}/g, '$user')
    .replace(/"\{pass\}"|\{pass\}/g, '$pass')
    .replace(/^(mutation|query)\b\s*(\w*)\s*(?:\(([^)]*)\))?\s*/, (_, kind: string, name: string, own = '') => {
      const declared = own.trim() === '' ? [] : [own.trim()];
      return `${kind} ${name}(${[...declared, ...VARIABLES.filter((each) => !own.includes(each.split(':')[0]))].join(', ')}) `;
    });
  const fields: LoginField[] = [
    { name: '/user', value: '', role: 'user' },
    { name: '/pass', value: '', role: 'pass' },
  ];
  return { ...rest, kind: 'graphql', query, fields };
}
