import { randomBytes } from 'node:crypto';
import { type Answer, json, type Routes, readJson, type Visit } from '../answer.ts';
import { createShelf } from '../services.ts';

interface Rules {
  path: string;
  /** A logout leaves the token valid, and a new password the other tokens. */
  keepsTokens?: boolean;
  /** The response about a token that has ended names its user. */
  namesEnded?: boolean;
}

interface Token {
  user: string;
  isEnded: boolean;
}

const LONGEST = 100;
const SHORTEST_PASSWORD = 8;
const COMMON = new Set(['12345678', '123456789', 'password', 'qwertyui']);
const MOST_FAILURES = 5;
const MOST_MEMBERS = 1_000;

/** An API for members who register themselves and log in with a token. */
function house({ path, keepsTokens = false, namesEnded = false }: Rules): Routes {
  const passwords = createShelf<string>(MOST_MEMBERS);
  const failures = createShelf<number>(MOST_MEMBERS);
  const tokens = createShelf<Token>(MOST_MEMBERS);
  const refused = json({ error: 'bring a token' }, 401);
  const tokenOf = ({ headers }: Visit) =>
    tokens.get(/^Bearer (\w+)$/.exec(headers.authorization ?? '')?.[1] ?? '') ?? { user: '', isEnded: true };
  const sent = (visit: Visit, field: string) => String(readJson(visit)?.[field] ?? '').slice(0, LONGEST);
  const isWeak = (password: string) => password.length < SHORTEST_PASSWORD || COMMON.has(password);

  function join(visit: Visit): Answer {
    const [user, password] = [sent(visit, 'user'), sent(visit, 'password')];
    if (user === '' || isWeak(password)) return json({ error: 'choose a better password' }, 400);
    if (passwords.get(user) === undefined) passwords.put(password, user);
    return json({ state: 'now log in' });
  }

  function enter(visit: Visit): Answer {
    const [user, password] = [sent(visit, 'user'), sent(visit, 'password')];
    const failed = failures.get(user) ?? 0;
    if (failed >= MOST_FAILURES || password === '' || passwords.get(user) !== password) {
      failures.put(failed + 1, user);
      return json({ error: 'name or password is wrong' }, 401);
    }
    const token = randomBytes(16).toString('hex');
    tokens.put({ user, isEnded: false }, token);
    return json({ token, type: 'Bearer', links: { self: `${path}/me` } });
  }

  function me(visit: Visit): Answer {
    const { user, isEnded } = tokenOf(visit);
    if (!isEnded) return json({ user, keys: 2 });
    return namesEnded && user !== '' ? json({ notice: `Goodbye, ${user}.` }) : refused;
  }

  function leave(visit: Visit): Answer {
    const own = tokenOf(visit);
    if (own.isEnded) return refused;
    // The flaw: only the program forgets the token.
    if (!keepsTokens) own.isEnded = true;
    return json({ state: 'left' });
  }

  function change(visit: Visit): Answer {
    const own = tokenOf(visit);
    const next = sent(visit, 'new_password');
    if (own.isEnded || sent(visit, 'current_password') !== passwords.get(own.user)) return refused;
    if (isWeak(next)) return json({ error: 'choose a better password' }, 400);
    passwords.put(next, own.user);
    // The flaw: nobody ends the other tokens.
    for (const each of keepsTokens ? [] : tokens.all()) if (each.user === own.user && each !== own) each.isEnded = true;
    return json({ state: 'changed' });
  }

  return {
    [`POST ${path}/join`]: join,
    [`POST ${path}/session`]: enter,
    [`GET ${path}/me`]: me,
    [`POST ${path}/logout`]: leave,
    [`POST ${path}/password`]: change,
  };
}

export const wardenRoutes = (): Routes => ({
  ...house({ path: '/api/wardens', keepsTokens: true }),
  ...house({ path: '/api/watchmen' }),
  ...house({ path: '/api/waiters', namesEnded: true }),
});

/** The fields of the requests, for the API description. Nothing describes the data of a member: the login links to it. */
export const wardenOperations: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ['/api/wardens', '/api/watchmen', '/api/waiters'].flatMap((path) => [
    [`${path}/join`, ['user', 'password']],
    [`${path}/session`, ['user', 'password']],
    [`${path}/password`, ['current_password', 'new_password']],
    [`${path}/logout`, []],
  ]),
);
