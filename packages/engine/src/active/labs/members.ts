import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import type { LabAnswer, LabRequest, RequestLab } from '../lab.ts';

interface Rules {
  /** Registering a name that exists replaces its password. */
  overwrites?: boolean;
  /** Failed logins after which an account is locked. */
  mostFailures?: number;
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
  return {
    item: asJson(items[about]),
    others: [items[other], items[about], asJson(items[other])],
    vulnerable: membersSite(rules.vulnerable),
    safe: membersSite(rules.safe),
  };
}

function membersSite({ overwrites = false, mostFailures = Number.POSITIVE_INFINITY }: Rules) {
  const passwords = new Map<string, string>();
  const failures = new Map<string, number>();
  return ({ path, body }: LabRequest): LabAnswer => {
    if (!body.startsWith('{')) return { status: 500, headers, body: '<p>Something went wrong</p>' };
    const { username = '', password = '' } = JSON.parse(body) as Record<string, string>;
    if (path.startsWith('/register')) {
      const isTaken = passwords.has(username);
      if (!isTaken || overwrites) passwords.set(username, password);
      return isTaken && !overwrites
        ? { status: 409, headers, body: '<p>Choose another name</p>' }
        : { headers, body: '<p>Welcome, now log in</p>' };
    }
    const failed = failures.get(username) ?? 0;
    // As many sites do, the locked account gets the same response, even with the right password.
    if (passwords.get(username) === password && failed < mostFailures) {
      return { status: 302, headers: { location: '/account', 'set-cookie': `sid=${username}c0ffee; HttpOnly` } };
    }
    failures.set(username, failed + 1);
    return { headers, body: `<p>Wrong name or password</p>${form}` };
  };
}
