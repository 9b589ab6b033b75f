import { definePassiveCheck } from '../../check.ts';

/** `public` and `s-maxage` ask shared caches to keep the answer; a max-age lets them. */
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
  title: 'Personal page may be stored in shared caches',
  why: 'The answer starts a session for one visitor, and Cache-Control lets proxies and delivery networks store it. A shared cache that does so hands the session cookie and the content of one visitor to others.',
  fix: 'Send Cache-Control: no-store (or private, no-cache) with every answer that sets a session cookie or depends on who is signed in.',
  references: ['https://www.rfc-editor.org/rfc/rfc9111#section-3', 'https://cwe.mitre.org/data/definitions/525.html'],
  needs: ['mainDocument', 'cookies'],

  *run({ mainDocument, cookies }) {
    const isPersonal = cookies.some(({ isSession, url }) => isSession && url === mainDocument.url.href);
    const allowed = storability(mainDocument.headers('cache-control').join(','));
    if (!isPersonal || allowed === undefined) return;
    const evidence = `${mainDocument.headerLines('cache-control')}\nThe same answer sets a session cookie.`;
    yield allowed === 'ASKED' ? { evidence } : { evidence, severity: 'LOW' };
  },

  examples: [
    { name: 'for everybody', given: page('public, max-age=600'), fails: 1 },
    { name: 'for shared caches', given: page('max-age=0, s-maxage=60'), fails: 1 },
    { name: 'for a while', given: page('max-age=600'), fails: 1, severity: 'LOW' },
    { name: 'private', given: page('private, max-age=600'), fails: 0 },
    { name: 'not stored', given: page('no-store, max-age=600'), fails: 0 },
    { name: 'stored for no time', given: page('max-age=0, must-revalidate'), fails: 0 },
    { name: 'a page for everybody', given: page('public, max-age=600', 'theme=dark'), fails: 0 },
    { name: 'nothing said', given: { headers: { 'set-cookie': 'sid=1' } }, fails: 0 },
  ],
});
