import { definePassiveCheck } from '../../check.ts';
import type { SeenCookie } from '../../evidence/cookies.ts';

/** What a cookie of this name lacks, as browsers see it. */
function lacks({ name, url, isSecure, domain, path }: SeenCookie): string[] {
  const isHost = /^__host-/i.test(name);
  if (!isHost && !/^__secure-/i.test(name)) return [];
  return [
    ...(isSecure ? [] : ['no Secure']),
    ...(url.startsWith('https:') ? [] : ['set on plain http']),
    ...(isHost && domain !== undefined ? ['a Domain'] : []),
    ...(isHost && path !== '/' ? ['no Path=/'] : []),
  ];
}

const set = (line: string) => ({ headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-prefix-violation',
  group: 'cookies',
  severity: 'MEDIUM',
  cwe: 1275,
  title: 'A cookie breaks the promise of its name',
  why: 'Browsers reject a cookie named __Secure-… or __Host-… that is not set as the name demands. Either the site does without it, or it relies on a protection that is not there.',
  fix: 'Set __Secure-… with Secure and on https; set __Host-… also with Path=/ and without Domain. Or choose another name.',
  references: ['https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-cookie-name-prefixes'],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const cookie of cookies) {
      const lacking = lacks(cookie);
      if (lacking.length > 0)
        yield { url: cookie.url, evidence: `set-cookie: ${cookie.name}=… (${lacking.join(', ')})` };
    }
  },

  examples: [
    { name: 'no Secure', given: set('__Secure-a=1'), fails: 1 },
    { name: 'no Path', given: set('__Host-a=1; Secure'), fails: 1 },
    { name: 'another Path', given: set('__Host-a=1; Secure; Path=/app'), fails: 1 },
    { name: 'a Domain', given: set('__Host-a=1; Secure; Path=/; Domain=site.example'), fails: 1 },
    { name: 'in other letters', given: set('__HOST-a=1; Secure'), fails: 1 },
    { name: 'on plain http', given: { ...set('__Secure-a=1; Secure'), url: 'http://site.example/' }, fails: 1 },
    { name: 'all that __Host- demands', given: set('__Host-a=1; Path=/; Secure'), fails: 0 },
    { name: 'an empty Domain, which counts as none', given: set('__Host-a=1; Path=/; Secure; Domain='), fails: 0 },
    { name: 'all that __Secure- demands', given: set('__Secure-a=1; Secure; Domain=site.example'), fails: 0 },
    { name: 'another name', given: set('_Host-a=1'), fails: 0 },
  ],
});
