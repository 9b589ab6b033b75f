import { account, json, type Seen, type Site } from '../login-site.ts';
import { form, hidden, isRight, PASSWORD, page, SESSION } from './kit.ts';

/** Where the value of the cookie has to be repeated. */
type Place = 'header' | 'form field' | 'multipart field' | 'JSON property';

const NAMES = {
  header: 'XSRF-TOKEN',
  'form field': 'csrf_cookie',
  'multipart field': 'csrf_cookie',
  'JSON property': 'csrf-token',
};
const FIELD = 'csrf_token';

/**
 * An application with double-submit CSRF protection of each POST: the cookie has another value after each of them. Only
 * the account can save a colour at /colour, and `saved` has the colours.
 */
export function doubleSubmitSite(place: Place): Site & { saved: string[] } {
  let turns = 0;
  const cookie = () => `${NAMES[place]}=${String(++turns).padStart(16, 'f')}; Path=/`;
  const saved: string[] = [];
  const sentIn = ({ headers, body, text }: Seen) => {
    if (place === 'header') return headers['x-xsrf-token'];
    if (place === 'multipart field') return /name="csrf_token"\r\n\r\n(.*)\r\n/.exec(text)?.[1];
    return place === 'form field' ? body.get(FIELD) : JSON.parse(text || '{}')[FIELD];
  };
  const isSame = (seen: Seen) => {
    const [, value] = new RegExp(`${NAMES[place]}=([^;]+)`).exec(seen.cookie) ?? [];
    return value !== undefined && (seen.path === '/login' ? seen.body.get(FIELD) : sentIn(seen)) === value;
  };
  const site = (seen: Seen) => {
    const isIn = seen.cookie.includes(SESSION);
    if (seen.method === 'GET') {
      const set = cookie();
      const [, value = ''] = /=([^;]+)/.exec(set) ?? [];
      const shown = isIn ? `Hello ${account.user}` : form('/login', hidden(FIELD, value) + USER + PASSWORD);
      return page(shown, { 'Set-Cookie': set });
    }
    if (!isSame(seen)) return json({ error: 'CSRF token mismatch' }, 403, { 'Set-Cookie': cookie() });
    if (seen.path === '/login') {
      const isKnown = isRight(seen.body.get('username'), seen.body.get('password'));
      return isKnown
        ? page('Welcome', { 'Set-Cookie': [`${SESSION}; Path=/`, cookie()] })
        : page(`Wrong password ${form('/login', USER + PASSWORD)}`);
    }
    if (!isIn) return json({ error: 'Log in first' }, 401);
    saved.push(seen.text);
    return json({ ok: true }, 200, { 'Set-Cookie': cookie() });
  };
  return Object.assign(site, { saved });
}

const USER = '<input name="username">';
