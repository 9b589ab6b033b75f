import type { TokenHeader } from '../session/login-request.ts';

/** What the owner wrote about the login, as far as it can be followed exactly. */
export interface LoginInstructions {
  /** Whether the login is a request of an API rather than a form on a page. */
  isRequest: boolean;
  /** Name of the field or JSON property for the user name, and for the password. */
  userField?: string | undefined;
  passField?: string | undefined;
  /** Further fields with their values, such as a tenant. */
  values: ReadonlyMap<string, string>;
  /** How the token of the login is sent. */
  header?: TokenHeader | undefined;
  /** Request body with `{user}` and `{pass}`: JSON, form fields or a GraphQL mutation. */
  body?: { kind: 'json' | 'form' | 'graphql'; text: string } | undefined;
}

const FIELD = '\\s+(?:field|property|parameter|name)?\\s*(?:is|=|:|called|named)\\s*["\'`]?([\\w.\\[\\]-]{1,60})';
const USER_FIELD = new RegExp(`\\b(?:user(?:\\s?name)?|e-?mail|login)(?:\\s+field)?${FIELD}`, 'i');
const PASS_FIELD = new RegExp(`\\bpass(?:word|phrase)?(?:\\s+field)?${FIELD}`, 'i');
const HEADER = /(?<![\w-])([A-Za-z][\w-]{2,60}):\s*(?:([A-Za-z]{2,20})\s+)?\{token\}/;
const HEADER_NAME = /\bheader\s+(?:is\s+|called\s+|named\s+)?["'`]?([A-Za-z][\w-]{2,60})/i;
const VALUE = /(?<![\w.?&/-])([\w.-]{1,60})=("[^"]{0,200}"|[^\s,;&"{}]{1,200})/g;
const PLACEHOLDER = /\{(?:user|pass)\}/;

/** Reads field names, values, the header of the token and a whole request body from free text. */
export function readInstructions(instructions: string | null): LoginInstructions {
  const text = instructions ?? '';
  const [, name, scheme = ''] = HEADER.exec(text) ?? [];
  const named = name ?? HEADER_NAME.exec(text)?.[1];
  const body = bodyIn(text);
  const rest = body ? text.replace(body.text, ' ') : text;
  const values = [...rest.matchAll(VALUE)].map(([, key = '', value = '']): [string, string] => [
    key,
    value.replace(/^"|"$|[.]$/g, ''),
  ]);
  return {
    isRequest: /\bPOST\b|\bjson\b/i.test(text),
    userField: USER_FIELD.exec(rest)?.[1],
    passField: PASS_FIELD.exec(rest)?.[1],
    values: new Map(values),
    header: named === undefined ? undefined : { name: named, scheme: scheme || usualScheme(named) },
    body,
  };
}

const usualScheme = (name: string) => (/^authorization$/i.test(name) ? 'Bearer' : '');

function bodyIn(text: string): LoginInstructions['body'] {
  const mutation = /\b(?:mutation|query)\b[^{]{0,200}(?=\{)/.exec(text);
  const document = mutation && balanced(text.slice(mutation.index));
  if (document && PLACEHOLDER.test(document)) return { kind: 'graphql', text: document };
  for (const { index } of text.matchAll(/\{\s*"/g)) {
    const json = balanced(text.slice(index));
    if (json && PLACEHOLDER.test(json)) return { kind: 'json', text: json };
  }
  const form = /(?<=^|\s)[\w.[\]-]+=[^\s&]*(?:&[\w.[\]-]+=[^\s&]*)+/.exec(text)?.[0];
  return form !== undefined && PLACEHOLDER.test(form) ? { kind: 'form', text: form } : undefined;
}

/** Returns the text up to the brace that closes its first one. Placeholders have braces of their own, which match. */
function balanced(text: string): string | undefined {
  let depth = 0;
  for (let index = text.indexOf('{'); index >= 0 && index < text.length; index++) {
    if (text[index] === '{') depth++;
    else if (text[index] === '}' && --depth === 0) return text.slice(0, index + 1);
  }
  return undefined;
}
