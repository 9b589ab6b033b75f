import type { Ask, Reply, Visitor } from './exploit.ts';
import type { Place } from './flaw.ts';

function underPointer(pointer: string, value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = pointer.split('/').slice(1);
  return { [name]: rest.length === 0 ? value : underPointer(`/${rest.join('/')}`, value) };
}

/** Returns the request with the value at the insertion point. */
function requestTo({ method, path, location, parameter }: Place, value: unknown, ask: Ask): [string, Ask] {
  const { headers = {}, others = {} } = ask;
  const text = String(value);
  const pairs = () => new URLSearchParams({ ...others, [parameter]: text }).toString();
  const withHeader = (name: string, content: string, body?: string): [string, Ask] => [
    path,
    { ...ask, method, headers: { ...headers, [name]: content }, ...(body === undefined ? {} : { body }) },
  ];
  if (location === 'query') return [`${path}?${pairs()}`, { ...ask, method }];
  if (location === 'path') {
    const body = method === 'GET' ? {} : { body: JSON.stringify(others) };
    return [path.replace('{id}', encodeURIComponent(text)), { ...ask, method, ...body }];
  }
  if (location === 'form') return withHeader('content-type', 'application/x-www-form-urlencoded', pairs());
  if (location === 'cookie') return withHeader('cookie', `${parameter}=${encodeURIComponent(text)}`);
  if (location === 'header') return withHeader(parameter, text);
  if (location === 'body') return withHeader('content-type', 'application/xml', text);
  if (location === 'json') {
    return withHeader(
      'content-type',
      'application/json',
      JSON.stringify({ ...others, ...underPointer(parameter, value) }),
    );
  }
  return [path, { ...ask, method }];
}

const tokenIn = (page: string) => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
const cookieIn = (reply: Reply) => reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';

interface Shop {
  origin: string;
  idOf: Visitor['idOf'];
  takeSleep: Visitor['takeSleep'];
  moveClock: Visitor['moveClock'];
  outside: Visitor['outside'];
}

export function createVisitor({ origin, idOf, takeSleep, moveClock, outside }: Shop): Visitor {
  const cookies = new Map<string, string>();

  async function ask(path: string, { method = 'GET', headers = {}, body, as }: Ask = {}): Promise<Reply> {
    const own = as === undefined ? [] : [await signIn(idOf('customer', as))];
    const cookie = [...own, headers.cookie ?? ''].filter(Boolean).join('; ');
    const type = typeof body === 'string' && /^[[{]/.test(body) ? { 'content-type': 'application/json' } : {};
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: { ...type, ...headers, cookie },
      ...(body === undefined ? {} : { body }),
    });
    const { status, headers: sent } = response;
    return { status, headers: sent, location: sent.get('location') ?? '', body: await response.text() };
  }

  async function signIn(username: string): Promise<string> {
    const known = cookies.get(username);
    if (known !== undefined) return known;
    const form = await ask('/login');
    const fields = { username, password: `${username}-of-the-range`, form_token: tokenIn(form.body) };
    const answer = await ask('/login', {
      method: 'POST',
      headers: { cookie: cookieIn(form), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    cookies.set(username, cookieIn(answer));
    return cookieIn(answer);
  }

  return {
    origin,
    idOf,
    ask,
    send: (place, value, options = {}) => ask(...requestTo(place, value, options)),
    takeSleep,
    moveClock,
    outside,
  };
}
