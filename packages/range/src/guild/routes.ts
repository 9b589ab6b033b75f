import { randomBytes } from 'node:crypto';
import { type Answer, cookieOf, html, type Routes, redirect, type Visit, withHeaders } from '../answer.ts';
import { escapeHtml, page } from '../page.ts';
import { createShelf } from '../services.ts';
import { credentialRoutes } from './credentials.ts';

interface Club {
  path: string;
  title: string;
  /** Without the flaws. */
  isSafe: boolean;
}

const LONGEST = 100;
const SHORTEST_PASSWORD = 8;
/** The first of every list of leaked passwords. */
const COMMON = new Set(['12345678', '123456789', 'password', 'qwertyui']);
const MOST_FAILURES = 5;
const MOST_MEMBERS = 1_000;

/** A club that visitors join by themselves, with and without flaws of its passwords and sessions. */
function club({ path, title, isSafe }: Club): Routes {
  const name = `${path.slice(1)}_session`;
  const passwords = createShelf<string>(MOST_MEMBERS);
  const failures = createShelf<number>(MOST_MEMBERS);
  const members = createShelf<{ user: string }>(MOST_MEMBERS);
  const newId = () => randomBytes(16).toString('hex');
  const cookie = (value: string, also = '') => `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax${also}`;
  const shown = (visit: Visit, content: string, status = 200) => html(page(visit, { title, content }), status);
  const form = (action: string, problem = '') => `<p class="problem">${escapeHtml(problem)}</p>
<form method="post" action="${path}/${action}"><input name="user"> <input name="password" type="password"> <button>Go</button></form>`;
  const sent = ({ form: fields }: Visit) =>
    ['user', 'password'].map((field) => (fields.get(field) ?? '').slice(0, LONGEST)) as [string, string];

  function join(visit: Visit): Answer {
    const [user, password] = sent(visit);
    // The flaw: any password will do.
    const isWeak = password.length < SHORTEST_PASSWORD || COMMON.has(password);
    if (isSafe && isWeak) return shown(visit, form('join', 'Choose a better password.'), 400);
    const isTaken = user === '' || passwords.get(user) !== undefined;
    // The flaw: it tells who is a member.
    if (isTaken && !isSafe) return shown(visit, form('join', 'Choose another name.'), 409);
    if (!isTaken) passwords.put(password, user);
    return shown(visit, `<p>Welcome. Now <a href="${path}/home">come in</a>.</p>`);
  }

  function enter(visit: Visit): Answer {
    const [user, password] = sent(visit);
    const failed = failures.get(user) ?? 0;
    // The flaw: nobody counts the failures.
    const isLocked = isSafe && failed >= MOST_FAILURES;
    if (isLocked || password === '' || passwords.get(user) !== password) {
      failures.put(failed + 1, user);
      return shown(visit, form('login', 'Name or password is wrong.'), 401);
    }
    const before = cookieOf(visit, name);
    // The flaw: the session of the visitor becomes that of the member.
    const id = !isSafe && before !== '' ? before : newId();
    members.put({ user }, id);
    return withHeaders(redirect(`${path}/home`), { 'set-cookie': cookie(id) });
  }

  function home(visit: Visit): Answer {
    const id = cookieOf(visit, name);
    const member = members.get(id);
    if (member && member.user !== '') {
      const content = `<p>Member ${escapeHtml(member.user)}. <a href="${path}/logout">Leave the room (log out)</a></p>`;
      return shown(visit, content);
    }
    const answer = shown(visit, form('login'));
    return id === '' ? withHeaders(answer, { 'set-cookie': cookie(newId()) }) : answer;
  }

  function leave(visit: Visit): Answer {
    // The flaw: only the browser forgets the session.
    if (isSafe) members.put({ user: '' }, cookieOf(visit, name));
    return withHeaders(redirect(`${path}/home`), { 'set-cookie': cookie('', '; Max-Age=0') });
  }

  return {
    [`POST ${path}/join`]: join,
    ...credentialRoutes({ path, isSafe, passwords, members, shown, sessionOf: (visit) => cookieOf(visit, name) }),
    [`POST ${path}/login`]: enter,
    [`GET ${path}/home`]: home,
    [`GET ${path}/logout`]: leave,
  };
}

export const guildRoutes = (): Routes => ({
  ...club({ path: '/guild', title: 'The guild', isSafe: false }),
  ...club({ path: '/circle', title: 'The circle', isSafe: true }),
});
