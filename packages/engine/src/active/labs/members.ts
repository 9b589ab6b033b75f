import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import type { LabAnswer, LabRequest, RequestLab } from '../lab.ts';

interface Rules {
  /** Registering a name that exists replaces its password. */
  overwrites?: boolean;
  /** A login keeps the session that the visitor had before. */
  keepsSession?: boolean;
  /** A logout deletes the cookie, but not the session. */
  remembers?: boolean;
  /** Passwords of fewer characters are refused. */
  shortest?: number;
  /** Failed logins after which an account is locked. */
  mostFailures?: number;
  /** Registrations and resets are answered alike, whether the name exists or not. */
  isDiscreet?: boolean;
  /** A new password is set without the current one. */
  trusts?: boolean;
  /** A new password leaves the other sessions valid. */
  keepsOthers?: boolean;
}

const parameters: Parameter[] = [
  { location: 'form', name: 'username', value: '' },
  { location: 'form', name: 'password', value: '' },
];
const form = '<form method="post"><input name="username"><input type="password" name="password"></form>';
const headers = { 'content-type': 'text/html' };

/** The server fails at the form, because it reads only the JSON that scripts of the page send. */
const asJson = (item: InventoryItem): InventoryItem => ({
  ...item,
  parameters: parameters.map(({ name, value }) => ({ location: 'json', name: `/${name}`, value })),
  body: { type: 'application/json', text: '{"username":"","password":""}' },
});

const items: Record<'register' | 'login', InventoryItem> = {
  register: { method: 'POST', url: '/register', parameters, seenAs: null, contentType: 'text/html', effect: 'changes' },
  login: { method: 'POST', url: '/login', parameters, seenAs: null, contentType: 'text/html', effect: 'logsIn' },
};

/** A site where visitors register and log in, with and without the flaw. */
export function membersLab(about: 'register' | 'login', rules: Record<'vulnerable' | 'safe', Rules>): RequestLab {
  const other = about === 'login' ? 'register' : 'login';
  const page = { method: 'GET', url: '/account', parameters: [], seenAs: 'alice', contentType: 'text/html' } as const;
  return {
    item: asJson(items[about]),
    others: [items[other], items[about], asJson(items[other]), { ...page, parameters: [] }],
    vulnerable: membersSite(rules.vulnerable),
    safe: membersSite(rules.safe),
  };
}

/** The same site with another form for its members, for checks of the whole site. */
export function accountLab(
  url: string,
  fields: readonly string[],
  rules: Record<'vulnerable' | 'safe', Rules>,
): RequestLab {
  const { others = [], ...lab } = membersLab('login', rules);
  const also: InventoryItem = {
    method: 'POST',
    url,
    parameters: fields.map((name) => ({ location: 'json', name: `/${name}`, value: '' })),
    seenAs: null,
    contentType: 'text/html',
    effect: 'changes',
    body: { type: 'application/json', text: JSON.stringify(Object.fromEntries(fields.map((name) => [name, '']))) },
  };
  return { ...lab, others: [...others, also] };
}

/** Passwords that everyone knows. */
const COMMON = new Set(['12345678', 'password']);

function membersSite({
  overwrites,
  keepsSession,
  remembers,
  shortest = 0,
  mostFailures = Number.POSITIVE_INFINITY,
  isDiscreet,
  trusts,
  keepsOthers,
}: Rules) {
  const passwords = new Map<string, string>();
  const failures = new Map<string, number>();
  /** The names of those who are logged in, by session. */
  const members = new Map<string, string>();
  let sessions = 0;
  const newSession = () => `c0ffee${String(++sessions).padStart(6, '0')}`;
  const cookie = (id: string) => ({ 'set-cookie': `sid=${id}; Path=/; HttpOnly` });

  function visit(path: string, id: string | undefined): LabAnswer {
    const name = members.get(id ?? '');
    if (path.startsWith('/logout')) {
      if (!remembers) members.delete(id ?? '');
      return { status: 302, headers: { location: '/account', 'set-cookie': 'sid=; Path=/; Max-Age=0' } };
    }
    if (name === undefined) {
      return { headers: { ...headers, ...(id === undefined && cookie(newSession())) }, body: `<p>Log in</p>${form}` };
    }
    return { headers, body: `<p>You are ${name}. <a href="logout">Log out</a></p>` };
  }

  function register({ username = '', password = '' }: Record<string, string>): LabAnswer {
    const isTaken = passwords.has(username);
    if (shortest > 0 && (password.length < shortest || COMMON.has(password)))
      return { status: 400, headers, body: '<p>Choose a longer password</p>' };
    if (!isTaken || overwrites) passwords.set(username, password);
    return isTaken && !overwrites && !isDiscreet
      ? { status: 409, headers, body: '<p>Choose another name</p>' }
      : { headers, body: '<p>Welcome, now log in</p>' };
  }

  function changePassword(told: Record<string, string>, id: string | undefined): LabAnswer {
    const name = members.get(id ?? '');
    const isRight = trusts || passwords.get(name ?? '') === told.current_password;
    if (name === undefined || !isRight) return { status: 403, headers, body: '<p>Not with this password</p>' };
    passwords.set(name, told.new_password ?? '');
    for (const [session, member] of keepsOthers ? [] : members)
      if (member === name && session !== id) members.delete(session);
    return { headers, body: '<p>Changed</p>' };
  }

  const forgot = (name: string): LabAnswer =>
    isDiscreet || passwords.has(name)
      ? { headers, body: '<p>A message is on its way</p>' }
      : { headers, body: '<p>Nobody has this name</p>' };

  return ({ method, path, body, headers: sent }: LabRequest): LabAnswer => {
    const [, id] = /(?:^|;\s*)sid=(\w+)/.exec(sent.cookie ?? '') ?? [];
    if (method === 'GET') return visit(path, id);
    if (!body.startsWith('{')) return { status: 500, headers, body: '<p>Something went wrong</p>' };
    const told = JSON.parse(body) as Record<string, string>;
    if (path.startsWith('/register')) return register(told);
    if (path.startsWith('/password')) return changePassword(told, id);
    if (path.startsWith('/forgot')) return forgot(told.username ?? '');
    const { username = '', password = '' } = told;
    const failed = failures.get(username) ?? 0;
    // As many sites do, the locked account gets the same response, even with the right password.
    if (passwords.get(username) === password && failed < mostFailures) {
      const session = keepsSession && id !== undefined ? id : newSession();
      members.set(session, username);
      return { status: 302, headers: { location: 'account', ...(session !== id && cookie(session)) } };
    }
    failures.set(username, failed + 1);
    return { headers, body: `<p>Wrong name or password</p>${form}` };
  };
}
