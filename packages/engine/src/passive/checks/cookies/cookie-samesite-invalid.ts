import { definePassiveCheck } from '../../define-passive-check.ts';

const set = (line: string) => ({ headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-samesite-invalid',
  group: 'cookies',
  severity: 'LOW',
  cwe: 1275,
  title: 'Cookie with invalid SameSite value',
  why: 'The SameSite attribute of the cookie has a value other than Strict, Lax or None. Browsers ignore the value and apply their own default, which differs between them. The cookie may then accompany cross-site requests, which enables CSRF.',
  fix: 'Set SameSite=Lax or SameSite=Strict. Use SameSite=None; Secure only for cookies that other sites need in frames or requests.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#samesite-attribute',
    'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-samesite-attribute-2',
    'https://cwe.mitre.org/data/definitions/1275.html',
  ],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, sameSite } of cookies) {
      if (sameSite === undefined || /^(strict|lax|none)$/i.test(sameSite)) continue;
      yield { url, evidence: `set-cookie: ${name}=…; SameSite=${sameSite}` };
    }
  },

  examples: [
    { name: 'unknown value', given: set('theme=dark; SameSite=Low'), fails: 1 },
    { name: 'empty value', given: set('theme=dark; SameSite='), fails: 1 },
    { name: 'no value', given: set('theme=dark; SameSite; Secure'), fails: 1 },
    { name: 'last of two values is invalid', given: set('theme=dark; SameSite=Lax; SameSite=Maybe'), fails: 1 },
    { name: 'Lax', given: set('theme=dark; samesite = LAX'), fails: 0 },
    { name: 'Strict', given: set('theme=dark; SameSite=Strict'), fails: 0 },
    { name: 'None, judged by another check', given: set('theme=dark; SameSite=None'), fails: 0 },
    { name: 'no SameSite', given: set('theme=dark'), fails: 0 },
    { name: 'deleted cookie', given: set('theme=; SameSite=Low; Max-Age=0'), fails: 0 },
  ],
});
