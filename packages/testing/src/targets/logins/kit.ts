import { account, json, type Reply, type Seen, type Site } from '../login-site.ts';

/** A kind of login, as a site with a single account. */
export interface LoginKind {
  name: string;
  site(): Site;
  /** What an owner would write about it; `auto` has to work with and without it unless `needs` is set. */
  instructions: string;
  /** Without instructions, the login fails with a reason that matches. */
  needs?: RegExp;
  /** Defaults to the account of the login sites. */
  user?: string;
  totpSecret?: string;
  /** Reason for a wrong password; defaults to one that says to check user and password. */
  wrong?: RegExp;
}

export const SESSION = 'sid=s3ss10n-0f-th3-acc0unt';
export const TOKEN = 'tk-7f3a9b2c4d5e6f708192a3b4';

export const page = (body: string, headers: Reply['headers'] = {}): Reply => ({ headers, body });
export const to = (location: string, ...cookies: string[]): Reply => ({
  status: 303,
  headers: { Location: location, 'Set-Cookie': cookies.map((cookie) => `${cookie}; Path=/`) },
});
export const form = (action: string, fields: string) =>
  `<form method="post" action="${action}">${fields}<button>Log in</button></form>`;
export const PASSWORD = '<input type="password" name="password">';
export const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`;
export const isRight = (user: unknown, pass: unknown, name = account.user) => user === name && pass === account.pass;

/** Shows orders to the account's session and the shop to everyone else. */
export function home({ cookie }: Seen): Reply {
  return page(cookie.includes(SESSION) ? 'Hello, your 3 orders are here' : 'A shop <a href="/login">Log in</a>');
}

export const readBody = ({ text }: Seen): Record<string, unknown> => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** An API whose front page tells nothing, with the account's data for those who send the token. */
export function api(
  at: string,
  logIn: (seen: Seen) => Reply,
  { guard, places }: { guard?: (seen: Seen) => boolean; places?: Record<string, Reply> } = {},
): Site {
  const isKnown = guard ?? (({ headers }) => headers.authorization === `Bearer ${TOKEN}`);
  return (seen) => {
    const { path, method } = seen;
    if (path === at) return method === 'POST' ? logIn(seen) : json({ detail: 'Method Not Allowed' }, 405);
    const described = places?.[path];
    if (described) return described;
    if (path === '/v7/parcels')
      return isKnown(seen) ? json([{ id: 7, to: account.user }]) : json({ detail: 'No' }, 401);
    return json({ detail: 'Not Found' }, 404);
  };
}

/** An OpenAPI document with a login operation and one operation that needs the login. */
export function openApi(
  path: string,
  body: unknown,
  more: Record<string, unknown> = {},
  summary = 'Get in',
): Record<string, Reply> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Parcels', version: '7' },
    paths: {
      [path]: { post: { summary, requestBody: { content: body }, responses: {} } },
      '/v7/parcels': { get: { summary: 'List parcels', responses: {} } },
    },
    ...more,
  };
  return { '/openapi.json': json(document) };
}

export const object = (names: readonly string[]) => ({
  schema: {
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  },
});
