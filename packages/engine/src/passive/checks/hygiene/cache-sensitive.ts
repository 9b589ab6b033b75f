import { definePassiveCheck } from '../../define-passive-check.ts';

/** `public` and `s-maxage` ask shared caches to store the response; `max-age` alone permits it. */
function storability(value: string): 'ASKED' | 'ALLOWED' | undefined {
  const directives = value
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const has = (pattern: RegExp) => directives.some((directive) => pattern.test(directive));
  if (has(/^(?:no-store|private|no-cache)(?:$|=)/)) return undefined;
  if (has(/^public$|^s-maxage="?[1-9]/)) return 'ASKED';
  return has(/^max-age="?[1-9]/) ? 'ALLOWED' : undefined;
}

const page = (cacheControl: string, cookie = 'sid=1; Secure; HttpOnly') => ({
  headers: { 'cache-control': cacheControl, 'set-cookie': cookie },
});

export default definePassiveCheck({
  id: 'cache-sensitive',
  group: 'hygiene',
  severity: 'MEDIUM',
  cwe: 525,
  title: 'Session response cacheable by shared caches (Cache-Control)',
  why: 'The response sets a session cookie, and its Cache-Control header lets proxies and CDNs store it. A shared cache then serves the session cookie and the content of one user to others, and an attacker who requests the same URL takes over that session. The evidence shows the Cache-Control header as sent.',
  fix: 'Send Cache-Control: no-store (or private, no-cache) with every response that sets a session cookie or depends on the signed-in user. Purge the CDN cache after the change.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/04-Authentication_Testing/06-Testing_for_Browser_Cache_Weaknesses',
    'https://www.rfc-editor.org/rfc/rfc9111#section-3',
    'https://cwe.mitre.org/data/definitions/525.html',
  ],
  needs: ['mainDocument', 'cookies'],

  *run({ mainDocument, cookies }) {
    const setsSession = cookies.some(({ isSession, url }) => isSession && url === mainDocument.url.href);
    const allowed = storability(mainDocument.headers('cache-control').join(','));
    if (!setsSession || allowed === undefined) return;
    const evidence = `${mainDocument.headerLines('cache-control')}\nThe same response sets a session cookie.`;
    yield allowed === 'ASKED' ? { evidence } : { evidence, severity: 'LOW' };
  },

  examples: [
    { name: 'public', given: page('public, max-age=600'), fails: 1 },
    { name: 's-maxage', given: page('max-age=0, s-maxage=60'), fails: 1 },
    { name: 'max-age only', given: page('max-age=600'), fails: 1, severity: 'LOW' },
    { name: 'private', given: page('private, max-age=600'), fails: 0 },
    { name: 'no-store', given: page('no-store, max-age=600'), fails: 0 },
    { name: 'max-age=0', given: page('max-age=0, must-revalidate'), fails: 0 },
    { name: 'no session cookie', given: page('public, max-age=600', 'theme=dark'), fails: 0 },
    { name: 'no Cache-Control', given: { headers: { 'set-cookie': 'sid=1' } }, fails: 0 },
  ],
});
