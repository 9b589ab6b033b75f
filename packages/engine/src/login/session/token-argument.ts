import { effectOf } from '../../crawl/effect/judge.ts';
import { rootFieldsOf } from '../../crawl/effect/judge-document.ts';
import { plain } from '../../crawl/effect/plain.ts';
import { jsonLeaves, withLeaves } from '../../crawl/inventory/json-leaves.ts';
import type { Headers, TargetRequest } from '../../http/exchange/exchange.ts';
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
  const isOther = (value: string) => EXAMPLES.has(value) || JWT.test(value);
  const { text, variables } = variablesIn(body);
  const taking = variables
    .filter(({ pointer, value }) => isTokenName(pointer, name) && isOther(value))
    .filter(({ pointer }) => !usesUpToken(text, pointer));
  return taking.length === 0 ? body : withLeaves(text, taking, JSON.stringify(token));
}

const USES_UP =
  /\b(?:log ?(?:out|off)|sign ?(?:out|off)|end ?session|revoke|invalidate|expire|reset|verify|verification|confirm|confirmation|redeem|activate|accept)\b/;
const ANYWHERE = 'http://nowhere/';

/**
 * Returns whether the operation with this variable would end the session or act on the token itself, such as
 * `revokeToken(token)`, or takes a token of another kind, such as `verifyEmail(token)`.
 */
function usesUpToken(text: string, pointer: string): boolean {
  const sent = JSON.parse(text);
  const { query } = Array.isArray(sent) ? (sent[Number(pointer.split('/')[1])] ?? {}) : sent;
  const roots = rootFieldsOf(String(query));
  if (!roots) return false;
  const names = [...roots.names, ...roots.called];
  if (names.some((name) => USES_UP.test(plain(name).replaceAll('_', ' ')))) return true;
  if (roots.kind !== 'mutation') return names.some((field) => effectOf({ field }) === 'endangers');
  return effectOf({ document: String(query), url: ANYWHERE }) === 'endangers';
}

/** Shorter values in a variable are examples or numbers. */
const SHORTEST_TOKEN = 8;
const SCHEME = /^[A-Za-z]+ /;

/** How a request is sent. */
interface Sending {
  /** Whether it goes to the account's origin. */
  isHome: boolean;
  isCrossSite?: boolean | undefined;
  change?: ((token: string) => string) | undefined;
}

/**
 * Keeps the way in which a session sends its token; `learn` is called with each token before it is sent. `known` has the
 * tokens of all sessions of the run.
 */
export function createAttached(learn: (token: string) => void, known: Set<string>) {
  let attached: Attachment = { headers: [] };
  const own = new Set<string>();
  function add(token: string): void {
    learn(token);
    known.add(token);
    own.add(token);
  }
  const current = () => attached.argument?.token ?? [...own].at(-1);

  /** Returns the body without tokens of other sessions: recorded requests have those of the account that sent them. */
  function withoutForeign(body: Body, { isCrossSite = false, change }: Sending, token: string): Body {
    const isKept = (value: string) => own.has(value) && !isCrossSite && !change;
    const { text, variables } = variablesIn(body);
    const isForeign = ({ pointer, value }: (typeof variables)[number]) =>
      known.has(value) || (own.size === 0 && JWT.test(value) && isTokenName(pointer, undefined));
    const foreign = variables.filter((each) => isForeign(each) && !isKept(each.value));
    if (foreign.length === 0) return body;
    const isUsedUp = foreign.some(({ pointer }) => usesUpToken(text, pointer));
    return withLeaves(text, foreign, JSON.stringify(isUsedUp ? '' : token));
  }

  return {
    attach(next: Attachment): Attachment {
      const before = attached;
      attached = next;
      for (const [header, value] of next.headers) if (!/csrf|xsrf/i.test(header)) add(value.replace(SCHEME, ''));
      if (next.argument) add(next.argument.token);
      return before;
    },
    headers: () => attached.headers,
    /** Learns the tokens in a request that a page of the session sends. Those of guests identify no account. */
    hear(body: Body, isOfAccount: boolean): void {
      const heard = variablesIn(body).variables.filter(({ pointer }) => isTokenName(pointer, attached.argument?.name));
      for (const { value } of heard.filter((each) => each.value.length >= SHORTEST_TOKEN)) {
        if (isOfAccount) add(value);
        else if (!known.has(value)) own.add(value);
      }
    },
    add,
    /**
     * Returns the request with the session's token, or what `change` makes of it, in the arguments that take one, and
     * with no token of another session.
     */
    write<Sent extends Pick<TargetRequest, 'body'>>(request: Sent, sending: Sending): Sent {
      if (request.body === undefined) return request;
      const { argument } = attached;
      const { isHome, isCrossSite, change } = sending;
      const isFilled = isHome && !isCrossSite;
      const token = isFilled ? (current() ?? '') : '';
      const written = change && token !== '' ? change(token) : token;
      learn(written);
      const body = withoutForeign(request.body, sending, written);
      return { ...request, body: argument && isFilled ? withToken(body, { ...argument, token: written }) : body };
    },
  };
}
