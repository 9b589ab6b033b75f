import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import type { LabAnswer, LabRequest, RequestLab } from '../lab.ts';

interface Rules {
  /** A logout leaves the token valid. */
  keepsToken?: boolean;
  /** A new password leaves the other tokens valid. */
  keepsOthers?: boolean;
  /** A logout is answered alike, whether its token is valid or not. */
  takesAnyLogout?: boolean;
  /** The response about a token that has ended names its user. */
  namesEnded?: boolean;
  /** Any token is accepted for the user that it begins with. */
  takesAnyToken?: boolean;
}

const headers = { 'content-type': 'application/json' };

const item = (
  method: 'GET' | 'POST',
  url: string,
  effect: NonNullable<InventoryItem['effect']>,
  fields: readonly string[] = [],
): InventoryItem => ({
  method,
  url,
  parameters: fields.map((name) => ({ location: 'json', name: `/${name}`, value: '' })),
  seenAs: null,
  contentType: 'application/json',
  effect,
  ...(fields.length > 0 && {
    body: { type: 'application/json', text: JSON.stringify(Object.fromEntries(fields.map((name) => [name, '']))) },
  }),
});

/** An API whose members register and log in with a token, with and without the flaw. */
export function tokenMembersLab(rules: Record<'vulnerable' | 'safe', Rules>): RequestLab {
  return {
    item: item('POST', '/session', 'logsIn', ['username', 'password']),
    others: [
      item('POST', '/members', 'changes', ['username', 'password']),
      item('POST', '/session', 'logsIn', ['username', 'password']),
      item('GET', '/api/news', 'reads'),
      item('GET', '/api/me', 'reads'),
      item('POST', '/password', 'changes', ['current_password', 'new_password']),
      item('POST', '/logout', 'endangers'),
    ],
    vulnerable: tokenSite(rules.vulnerable),
    safe: tokenSite(rules.safe),
  };
}

function tokenSite({ keepsToken, keepsOthers, takesAnyLogout, namesEnded, takesAnyToken }: Rules) {
  const passwords = new Map<string, string>();
  const users = new Map<string, string>();
  const ended = new Map<string, string>();
  let tokens = 0;
  const answer = (body: object, status = 200): LabAnswer => ({ status, headers, body: JSON.stringify(body) });
  const refused = answer({ error: 'bring a token' }, 401);

  function end(token: string): void {
    ended.set(token, users.get(token) ?? '');
    users.delete(token);
  }

  function show(token: string): LabAnswer {
    const user = users.get(token) ?? (takesAnyToken ? [...users.values()].at(-1) : undefined);
    if (user !== undefined) return answer({ user, since: 'today' });
    return namesEnded && ended.has(token) ? answer({ notice: `Goodbye, ${ended.get(token)}` }) : refused;
  }

  function change(token: string, { current_password, new_password = '' }: Record<string, string>): LabAnswer {
    const user = users.get(token) ?? '';
    if (user === '' || passwords.get(user) !== current_password) return refused;
    passwords.set(user, new_password);
    for (const [other, of] of keepsOthers ? [] : users) if (of === user && other !== token) end(other);
    return answer({ state: 'changed' });
  }

  function leave(token: string): LabAnswer {
    if (!users.has(token) && !takesAnyLogout) return refused;
    if (!keepsToken) end(token);
    return { status: 204 };
  }

  return ({ method, path, body, headers: sent }: LabRequest): LabAnswer => {
    const [, token = ''] = /^Bearer (\S+)$/.exec(sent.authorization ?? '') ?? [];
    if (method === 'GET') return path === '/api/me' ? show(token) : answer({ news: [] });
    if (path === '/logout') return leave(token);
    const told = JSON.parse(body) as Record<string, string>;
    if (path === '/password') return change(token, told);
    const { username = '', password = '' } = told;
    if (path === '/members') {
      if (passwords.has(username)) return answer({ error: 'is taken' }, 409);
      passwords.set(username, password);
      return answer({ state: 'welcome' }, 201);
    }
    if (password === '' || passwords.get(username) !== password) return answer({ error: 'wrong' }, 401);
    const issued = `7f3ac0ffee9b${String(++tokens).padStart(8, '0')}`;
    users.set(issued, username);
    return answer({ token: issued });
  };
}
