import { randomBytes } from 'node:crypto';
import { type Answer, json, type Routes, readJson, type Visit } from '../answer.ts';
import { createShelf } from '../services.ts';

interface Rules {
  path: string;
  /** A logout leaves the token valid, and a new password the other tokens. */
  keepsTokens?: boolean;
  /** The response about a token that has ended names its user. */
  namesEnded?: boolean;
  /** The registration stores the role that it is sent. */
  takesRole?: boolean;
  /** Any number of codes of vouchers can be tried. */
  hasNoLimit?: boolean;
  /** Each use of a voucher reduces the order again. */
  addsUp?: boolean;
  /** The registration repeats the role that it is sent, and does not store it. */
  echoesRole?: boolean;
}

interface Token {
  user: string;
  isEnded: boolean;
}

const LONGEST = 100;
const SHORTEST_PASSWORD = 8;
const COMMON = new Set(['12345678', '123456789', 'password', 'qwertyui']);
const MOST_FAILURES = 5;
const VOUCHER = 'WELCOME-10';
const PRICE = 90;
const WORTH = 10;
const MOST_MEMBERS = 1_000;

const refused = json({ error: 'bring a token' }, 401);
const sent = (visit: Visit, field: string) => String(readJson(visit)?.[field] ?? '').slice(0, LONGEST);
const isWeak = (password: string) => password.length < SHORTEST_PASSWORD || COMMON.has(password);

/** Vouchers for the order of each member. */
function voucherDesk({ hasNoLimit = false, addsUp = false }: Omit<Rules, 'path'>) {
  const failures = createShelf<number>(MOST_MEMBERS);
  const uses = createShelf<number>(MOST_MEMBERS);
  return (user: string, code: string): Answer => {
    const failed = failures.get(user) ?? 0;
    // The flaw: nobody counts the failures.
    if (code !== VOUCHER || (failed >= MOST_FAILURES && !hasNoLimit)) {
      failures.put(failed + 1, user);
      return json({ error: 'no such voucher' }, 404);
    }
    // The flaw: nobody looks whether it was used.
    const used = addsUp ? (uses.get(user) ?? 0) + 1 : 1;
    const order = { piece: 'Lantern', total: Math.max(0, PRICE - used * WORTH) };
    const isKnown = uses.get(user) !== undefined;
    uses.put(used, user);
    return json({ order, note: isKnown && !addsUp ? 'is used already' : 'is used' });
  };
}

/** Passwords of members, who are locked after a few wrong ones. */
function createPasswords() {
  const passwords = createShelf<string>(MOST_MEMBERS);
  const failures = createShelf<number>(MOST_MEMBERS);
  function isRight(user: string, password: string): boolean {
    const failed = failures.get(user) ?? 0;
    const isRight = failed < MOST_FAILURES && password !== '' && passwords.get(user) === password;
    if (!isRight) failures.put(failed + 1, user);
    return isRight;
  }
  return { passwords, isRight };
}

/** An API for members who register themselves and log in with a token. */
function house({ path, ...rules }: Rules): Routes {
  const useVoucher = voucherDesk(rules);
  const { passwords, isRight } = createPasswords();
  const tokens = createShelf<Token>(MOST_MEMBERS);
  const roles = createShelf<string>(MOST_MEMBERS);
  const tokenOf = ({ headers }: Visit) =>
    tokens.get(/^Bearer (\w+)$/.exec(headers.authorization ?? '')?.[1] ?? '') ?? { user: '', isEnded: true };

  function join(visit: Visit): Answer {
    const [user, password] = [sent(visit, 'user'), sent(visit, 'password')];
    if (user === '' || isWeak(password)) return json({ error: 'choose a better password' }, 400);
    const role = sent(visit, 'role');
    // The flaw: nobody asked for the role.
    if (rules.takesRole && passwords.get(user) === undefined) roles.put(role, user);
    if (passwords.get(user) === undefined) passwords.put(password, user);
    return json({ state: 'now log in', ...(rules.echoesRole && role !== '' && { role }) });
  }

  function enter(visit: Visit): Answer {
    const [user, password] = [sent(visit, 'user'), sent(visit, 'password')];
    if (!isRight(user, password)) return json({ error: 'name or password is wrong' }, 401);
    const token = randomBytes(16).toString('hex');
    tokens.put({ user, isEnded: false }, token);
    return json({ token, type: 'Bearer', links: { self: { href: `${path}/me` }, ledger: { href: `${path}/ledger` } } });
  }

  function me(visit: Visit): Answer {
    const { user, isEnded } = tokenOf(visit);
    if (!isEnded) return json({ user, keys: 2 });
    return rules.namesEnded && user !== '' ? json({ notice: `Goodbye, ${user}.` }) : refused;
  }

  function ledger(visit: Visit): Answer {
    const { user, isEnded } = tokenOf(visit);
    const isStaff = !isEnded && roles.get(user) === 'admin';
    return isStaff ? json({ wages: [410, 385] }) : json({ error: 'for the staff' }, 403);
  }

  function leave(visit: Visit): Answer {
    const own = tokenOf(visit);
    if (own.isEnded) return refused;
    // The flaw: only the program forgets the token.
    own.isEnded = !rules.keepsTokens;
    return json({ state: 'left' });
  }

  function change(visit: Visit): Answer {
    const own = tokenOf(visit);
    const next = sent(visit, 'new_password');
    if (own.isEnded || sent(visit, 'current_password') !== passwords.get(own.user)) return refused;
    if (isWeak(next)) return json({ error: 'choose a better password' }, 400);
    passwords.put(next, own.user);
    // The flaw: nobody ends the other tokens.
    for (const each of rules.keepsTokens ? [] : tokens.all())
      if (each.user === own.user && each !== own) each.isEnded = true;
    return json({ state: 'changed' });
  }

  return {
    [`POST ${path}/join`]: join,
    [`POST ${path}/session`]: enter,
    [`GET ${path}/me`]: me,
    [`GET ${path}/ledger`]: ledger,
    [`POST ${path}/voucher`]: (visit) =>
      tokenOf(visit).isEnded ? refused : useVoucher(tokenOf(visit).user, sent(visit, 'voucher')),
    [`POST ${path}/logout`]: leave,
    [`POST ${path}/password`]: change,
  };
}

export const wardenRoutes = (): Routes => ({
  ...house({ path: '/api/wardens', keepsTokens: true, takesRole: true, hasNoLimit: true, addsUp: true }),
  ...house({ path: '/api/watchmen' }),
  ...house({ path: '/api/waiters', namesEnded: true, echoesRole: true }),
});

/** The fields of the requests with examples, for the API description. Nothing describes the data of a member: the login links to it. */
export const wardenOperations: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  ['/api/wardens', '/api/watchmen', '/api/waiters'].flatMap((path) => [
    [`${path}/join`, { user: '', password: '' }],
    [`${path}/session`, { user: '', password: '' }],
    [`${path}/password`, { current_password: '', new_password: '' }],
    [`${path}/voucher`, { voucher: VOUCHER }],
    [`${path}/logout`, {}],
  ]),
);
