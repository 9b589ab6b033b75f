import { definePassiveCheck } from '../../check.ts';

const set = (line: string) => ({ headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-samesite-none-insecure',
  group: 'cookies',
  severity: 'MEDIUM',
  cwe: 1275,
  title: 'A cookie is open to all sites, but not kept to https',
  why: 'Browsers reject a cookie with SameSite=None and without Secure. Those that still take it send it with the requests of every site, over plain http, too.',
  fix: 'Set the cookie with SameSite=None; Secure, or with SameSite=Lax if no other site has to embed this one.',
  references: ['https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-samesite-attribute-2'],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, sameSite, isSecure } of cookies) {
      if (sameSite?.toLowerCase() !== 'none' || isSecure) continue;
      yield { url, evidence: `set-cookie: ${name}=…; SameSite=${sameSite} (without Secure)` };
    }
  },

  examples: [
    { name: 'without Secure', given: set('theme=dark; SameSite=None'), fails: 1 },
    { name: 'in other letters', given: set('theme=dark; samesite=NONE; HttpOnly'), fails: 1 },
    { name: 'with Secure', given: set('theme=dark; SameSite=None; Secure'), fails: 0 },
    { name: 'Lax', given: set('theme=dark; SameSite=Lax'), fails: 0 },
    { name: 'not there', given: set('theme=dark'), fails: 0 },
  ],
});
