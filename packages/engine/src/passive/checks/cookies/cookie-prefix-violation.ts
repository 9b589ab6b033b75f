import type { SeenCookie } from '../../../evidence/page/cookies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** The requirements of the name prefix that the cookie does not meet, by the rules of browsers. */
function violationsOf({ name, url, isSecure, domain, path }: SeenCookie): string[] {
  const isHost = /^__host-/i.test(name);
  if (!isHost && !/^__secure-/i.test(name)) return [];
  return [
    ...(isSecure ? [] : ['Secure missing']),
    ...(url.startsWith('https:') ? [] : ['set over HTTP']),
    ...(isHost && domain !== undefined ? ['Domain present'] : []),
    ...(isHost && path !== '/' ? ['Path is not /'] : []),
  ];
}

const set = (line: string) => ({ headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-prefix-violation',
  group: 'cookies',
  severity: 'MEDIUM',
  cwe: 1275,
  title: 'Cookie violates its __Host- or __Secure- prefix',
  why: 'The name of the cookie starts with __Host- or __Secure-, but its attributes do not meet the requirements of the prefix. Browsers reject such a cookie, so the feature that relies on it breaks or runs without its protection. The evidence lists the violations.',
  fix: 'Set __Secure- cookies over HTTPS with Secure; set __Host- cookies with Path=/ and without Domain in addition. Otherwise rename the cookie.',
  references: [
    'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-cookie-name-prefixes',
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#cookies',
    'https://cwe.mitre.org/data/definitions/1275.html',
  ],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const cookie of cookies) {
      const violations = violationsOf(cookie);
      if (violations.length > 0)
        yield { url: cookie.url, evidence: `set-cookie: ${cookie.name}=… (${violations.join(', ')})` };
    }
  },

  examples: [
    { name: 'without Secure', given: set('__Secure-a=1'), fails: 1 },
    { name: 'without Path', given: set('__Host-a=1; Secure'), fails: 1 },
    { name: 'Path other than /', given: set('__Host-a=1; Secure; Path=/app'), fails: 1 },
    { name: 'with Domain', given: set('__Host-a=1; Secure; Path=/; Domain=site.example'), fails: 1 },
    { name: 'prefix in upper case', given: set('__HOST-a=1; Secure'), fails: 1 },
    { name: 'set over HTTP', given: { ...set('__Secure-a=1; Secure'), url: 'http://site.example/' }, fails: 1 },
    { name: 'valid __Host- cookie', given: set('__Host-a=1; Path=/; Secure'), fails: 0 },
    { name: 'empty Domain, which counts as none', given: set('__Host-a=1; Path=/; Secure; Domain='), fails: 0 },
    { name: 'valid __Secure- cookie', given: set('__Secure-a=1; Secure; Domain=site.example'), fails: 0 },
    { name: 'name without the prefix', given: set('_Host-a=1'), fails: 0 },
  ],
});
