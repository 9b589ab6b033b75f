import { account, json, type Reply, type Seen } from '../login-site.ts';
import { api, isRight, type LoginKind, object, openApi, page, readBody, TOKEN } from './kit.ts';

const no = json({ detail: 'Incorrect username or password' }, 401);
const JSON_BODY = 'application/json';
const FORM_BODY = 'application/x-www-form-urlencoded';

/** Answers like FastAPI: a form-encoded OAuth 2.0 password grant, and status 422 for everything else. */
function grant({ headers, body }: Seen): Reply {
  const names = ['username', 'password'].filter((name) => headers['content-type'] !== FORM_BODY || !body.get(name));
  if (names.length > 0) {
    return json(
      { detail: names.map((name) => ({ type: 'missing', loc: ['body', name], msg: 'Field required' })) },
      422,
    );
  }
  const isGrant = body.get('grant_type') === 'password';
  return isGrant && isRight(body.get('username'), body.get('password'))
    ? json({ access_token: TOKEN, token_type: 'bearer' })
    : no;
}

const scheme = (each: Record<string, unknown>) => ({ components: { securitySchemes: { login: each } } });
const oauth = scheme({ type: 'oauth2', flows: { password: { tokenUrl: 'in/token', scopes: {} } } });

const byJson = (names: [user: string, pass: string], answer: () => Reply) => (seen: Seen) => {
  const sent = readBody(seen);
  const missing = names.filter((name) => sent[name] === undefined);
  if (missing.length > 0) return json({ error: `${missing.join(', ')} required` }, 422);
  return isRight(sent[names[0]], sent[names[1]]) ? answer() : no;
};

export const apiKinds: readonly LoginKind[] = [
  {
    name: 'a JSON API under other names',
    site: () =>
      api(
        '/api/login',
        byJson(['login', 'passphrase'], () => json({ token: TOKEN })),
        { places: openApi('/api/login', { [JSON_BODY]: object(['login', 'passphrase']) }) },
      ),
    instructions: 'POST /api/login {"login": "{user}", "passphrase": "{pass}"}',
  },
  {
    name: 'a JSON API under other names that nothing describes',
    site: () =>
      api(
        '/api/login',
        byJson(['who', 'knock'], () => json({ token: TOKEN })),
      ),
    instructions: 'POST /api/login {"who": "{user}", "knock": "{pass}"}, then GET /v7/parcels',
    needs: /Write the request in the instructions, such as: POST \/api\/login/,
    wrong: /Check user and password/,
  },
  {
    name: 'a JSON API with a nested body and a nested token',
    site: () =>
      api(
        '/v7/sessions',
        (seen) => {
          const { data } = readBody(seen) as { data?: { attributes?: Record<string, unknown> } };
          const { email, password } = data?.attributes ?? {};
          if (email === undefined) return json({ errors: [{ detail: 'data.attributes.email is required' }] }, 422);
          return isRight(email, password) ? json({ data: { attributes: { token: { value: TOKEN } } } }) : no;
        },
        {
          places: openApi('/v7/sessions', {
            [JSON_BODY]: {
              schema: {
                type: 'object',
                properties: {
                  data: { type: 'object', properties: { attributes: object(['email', 'password']).schema } },
                },
              },
            },
          }),
        },
      ),
    instructions: 'POST /v7/sessions {"data": {"attributes": {"email": "{user}", "password": "{pass}"}}}',
  },
  {
    name: 'an OAuth 2.0 password grant with an OpenAPI document',
    site: () =>
      api('/in/token', grant, {
        places: openApi(
          '/in/token',
          { [FORM_BODY]: object(['grant_type', 'username', 'password', 'scope', 'client_id']) },
          oauth,
        ),
      }),
    instructions: 'POST /in/token grant_type=password&username={user}&password={pass}',
  },
  {
    name: 'an operation at an odd path',
    site: () =>
      api(
        '/door/knock',
        byJson(['visitor', 'passphrase'], () => json({ ticket: TOKEN })),
        {
          places: openApi(
            '/door/knock',
            { [JSON_BODY]: object(['visitor', 'passphrase']) },
            {},
            'Sign in with a passphrase',
          ),
        },
      ),
    instructions: 'POST /door/knock {"visitor": "{user}", "passphrase": "{pass}"}',
  },
  {
    name: 'a token in a header of its own',
    site: () =>
      api(
        '/api/auth/login',
        byJson(['username', 'password'], () => json({ ok: true }, 200, { 'X-Auth-Token': TOKEN })),
        {
          guard: ({ headers }) => headers['x-auth-token'] === TOKEN,
          places: openApi('/api/auth/login', { [JSON_BODY]: object(['username', 'password']) }),
        },
      ),
    instructions: 'POST /api/auth/login {"username": "{user}", "password": "{pass}"}, then X-Auth-Token: {token}',
  },
  {
    name: 'a token behind the word Token',
    site: () =>
      api(
        '/api/auth/login',
        byJson(['username', 'password'], () => json({ key: TOKEN })),
        {
          guard: ({ headers }) => headers.authorization === `Token ${TOKEN}`,
          places: openApi('/api/auth/login', { [JSON_BODY]: object(['username', 'password']) }),
        },
      ),
    instructions:
      'POST /api/auth/login {"username": "{user}", "password": "{pass}"}, then Authorization: Token {token}',
  },
  {
    name: 'a JSON API that requires a double-submit token',
    site: () => {
      const inner = api(
        '/api/login',
        (seen) => {
          const isSame =
            seen.cookie.includes('XSRF-TOKEN=') && seen.cookie.includes(`XSRF-TOKEN=${seen.headers['x-xsrf-token']}`);
          return isSame
            ? byJson(['username', 'password'], () => json({ token: TOKEN }))(seen)
            : json({ error: 'CSRF token mismatch' }, 403);
        },
        { places: openApi('/api/login', { [JSON_BODY]: object(['username', 'password']) }) },
      );
      return (seen) => {
        const reply = inner(seen);
        return { ...reply, headers: { ...reply.headers, 'Set-Cookie': 'XSRF-TOKEN=d0uble; Path=/' } };
      };
    },
    instructions: 'POST /api/login {"username": "{user}", "password": "{pass}"}',
  },
  {
    name: 'HTTP Basic',
    site: () => (seen) => {
      const expected = `Basic ${Buffer.from(`${account.user}:${account.pass}`).toString('base64')}`;
      if (seen.headers.authorization === expected) return { body: 'Hello, your 3 orders are here' };
      return { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="Shop"' }, body: 'Unauthorized' };
    },
    instructions: 'The browser asks for user and password.',
  },
  {
    name: 'HTTP Basic of one folder',
    site: () => (seen) => {
      if (seen.path === '/') return page('A shop <a href="/teas">Teas</a> <a href="/intern/">For staff</a>');
      if (!seen.path.startsWith('/intern/')) return { status: 404, body: 'Not here' };
      const expected = `Basic ${Buffer.from(`${account.user}:${account.pass}`).toString('base64')}`;
      if (seen.headers.authorization === expected) return { body: 'Hello, your 3 orders are here' };
      return { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="Staff"' }, body: 'Unauthorized' };
    },
    instructions: 'The browser asks for user and password at /intern/.',
  },
];
