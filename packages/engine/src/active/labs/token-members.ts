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
  /** The registration stores a role that the request names. */
  takesRole?: boolean;
  /** The registration answers with the role that the request names, and does not store it. */
  echoesRole?: boolean;
  /** Wrong codes of a user after which right ones are refused as well. */
  mostCodes?: number;
  /** Each use of a coupon reduces the total. */
  addsUp?: boolean;
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

const couponItem: InventoryItem = {
  ...item('POST', '/coupon', 'changes', ['code']),
  parameters: [{ location: 'json', name: '/code', value: 'HELLO-10' }],
  body: { type: 'application/json', text: '{"code":"HELLO-10"}' },
};

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
      couponItem,
    ],
    vulnerable: tokenSite(rules.vulnerable),
    safe: tokenSite(rules.safe),
  };
}

/** The same API for checks of the registration. Accounts were refused the page for the staff. */
export function registrationLab(rules: Record<'vulnerable' | 'safe', Rules>): RequestLab {
  const { others = [], ...lab } = tokenMembersLab(rules);
  const item = others.find(({ url }) => url === '/members') ?? lab.item;
  return { ...lab, item, others, refused: [{ as: 'alice', url: '/api/staff' }] };
}

/** The same API for checks of the coupons that reduce the order of a member. */
export const couponLab = (rules: Record<'vulnerable' | 'safe', Rules>): RequestLab => ({
  ...tokenMembersLab(rules),
  item: couponItem,
});

/** Coupons of an order of 100 for each user. */
function couponSite({ mostCodes = Number.POSITIVE_INFINITY, addsUp = false }: Rules) {
  const [failures, uses] = [new Map<string, number>(), new Map<string, number>()];
  return (user: string, code: string | undefined): LabAnswer => {
    const failed = failures.get(user) ?? 0;
    if (code !== 'HELLO-10' || failed >= mostCodes) {
      failures.set(user, failed + 1);
      return { status: 404, headers, body: '{"error":"no such coupon"}' };
    }
    const used = addsUp ? (uses.get(user) ?? 0) + 1 : 1;
    uses.set(user, used);
    return { headers, body: JSON.stringify({ order: { total: 100 - 10 * used } }) };
  };
}

function tokenSite({
  keepsToken,
  keepsOthers,
  takesAnyLogout,
  namesEnded,
  takesAnyToken,
  takesRole,
  echoesRole,
  ...rules
}: Rules) {
  const useCoupon = couponSite(rules);
  const passwords = new Map<string, string>();
  const staff = new Set<string>();
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
    if (method === 'GET' && path === '/api/staff')
      return staff.has(users.get(token) ?? '') ? answer({ wages: [7] }) : answer({ error: 'for the staff' }, 403);
    if (method === 'GET') return path === '/api/me' ? show(token) : answer({ news: [] });
    if (path === '/logout') return leave(token);
    const told = JSON.parse(body) as Record<string, string>;
    if (path === '/coupon') return users.has(token) ? useCoupon(users.get(token) ?? '', told.code) : refused;
    if (path === '/password') return change(token, told);
    const { username = '', password = '' } = told;
    if (path === '/members') {
      if (passwords.has(username)) return answer({ error: 'is taken' }, 409);
      passwords.set(username, password);
      if (takesRole && told.role === 'admin') staff.add(username);
      return answer({ state: 'welcome', ...(echoesRole && { role: told.role }) }, 201);
    }
    if (password === '' || passwords.get(username) !== password) return answer({ error: 'wrong' }, 401);
    const issued = `7f3ac0ffee9b${String(++tokens).padStart(8, '0')}`;
    users.set(issued, username);
    return answer({ token: issued });
  };
}
