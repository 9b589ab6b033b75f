import { jsonLeaves, withLeaves } from '../crawl/inventory/json-leaves.ts';
import type { Headers, TargetRequest } from '../http/exchange/exchange.ts';
import type { Candidate } from './login-request.ts';

type Body = TargetRequest['body'];

/** A token that GraphQL operations take as an argument, in a variable. */
export interface TokenArgument {
  token: string;
  /** Name that the instructions give to the argument, besides the usual ones. */
  name?: string | undefined;
}

/** How the token of a login is sent. */
export interface Attachment {
  headers: Headers;
  argument?: TokenArgument | undefined;
}

const USUAL =
  /^(?:(?:access|auth|authentication|bearer|session|user|login|id|jwt)[_-]?)?token$|^jwt$|^auth(?:orization)?$|^session(?:[_-]?(?:id|key))?$|^sid$/i;

const isTokenName = (pointer: string, told: string | undefined) => {
  const name = pointer.split('/').at(-1) ?? '';
  return USUAL.test(name) || name === told;
};

/** Returns whether each of these variables takes a token. */
export const areTokens = (names: readonly string[], told?: string) => names.every((name) => isTokenName(name, told));

/** In a batch of operations, the variables are below an index. */
const VARIABLE = /^(?:\/\d+)?\/variables\//;

function variablesIn(body: Body) {
  const text = body === undefined ? '' : Buffer.from(body).toString();
  if (!text.includes('"query"')) return { text, variables: [] };
  return { text, variables: jsonLeaves(text).filter(({ pointer }) => VARIABLE.test(pointer)) };
}

/** Returns the values of all GraphQL variables in a request body. */
export const valuesIn = (body: Body) => variablesIn(body).variables.map(({ value }) => value);

export function takesToken(asked: Candidate, { name }: TokenArgument): boolean {
  return (
    typeof asked !== 'string' && variablesIn(asked.body).variables.some(({ pointer }) => isTokenName(pointer, name))
  );
}

/** Values that stand for a token: examples from a schema, and tokens of another login. Payloads are neither. */
const EXAMPLES = new Set(['', 'test', '1', 'null']);
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

/** Returns the body with the token in each variable that takes one, and every other byte as it is. */
export function withToken(body: Body, { token, name }: TokenArgument): Body {
  const isOther = (value: string) => EXAMPLES.has(value) || JWT.test(value) || value.length === token.length;
  const { text, variables } = variablesIn(body);
  const taking = variables.filter(({ pointer, value }) => isTokenName(pointer, name) && isOther(value));
  return taking.length === 0 ? body : withLeaves(text, taking, JSON.stringify(token));
}

/** Keeps the way in which a session sends its token; `learn` is called with each token before it is sent. */
export function createAttached(learn: (token: string) => void) {
  let attached: Attachment = { headers: [] };
  return {
    attach(next: Attachment): Attachment {
      const before = attached;
      attached = next;
      return before;
    },
    headers: () => attached.headers,
    /** Returns the request with the token, or what `change` makes of it, in the arguments that take one. */
    write<Sent extends Pick<TargetRequest, 'body'>>(request: Sent, change?: (token: string) => string): Sent {
      const { argument } = attached;
      if (!argument || request.body === undefined) return request;
      const token = change ? change(argument.token) : argument.token;
      learn(token);
      return { ...request, body: withToken(request.body, { ...argument, token }) };
    },
  };
}
