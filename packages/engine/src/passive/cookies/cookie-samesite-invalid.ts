import { definePassiveCheck } from '../../check.ts';

const set = (line: string) => ({ headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-samesite-invalid',
  group: 'cookies',
  severity: 'LOW',
  cwe: 1275,
  title: 'Browsers do not understand the SameSite of a cookie',
  why: 'Browsers know Strict, Lax and None. Anything else they treat as if nothing had been said, each in its own way.',
  fix: 'Set the cookie with SameSite=Lax, SameSite=Strict, or SameSite=None; Secure.',
  references: ['https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-samesite-attribute-2'],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, sameSite } of cookies) {
      if (sameSite === undefined || /^(strict|lax|none)$/i.test(sameSite)) continue;
      yield { url, evidence: `set-cookie: ${name}=…; SameSite=${sameSite}` };
    }
  },

  examples: [
    { name: 'an unknown word', given: set('theme=dark; SameSite=Low'), fails: 1 },
    { name: 'nothing', given: set('theme=dark; SameSite='), fails: 1 },
    { name: 'without a value', given: set('theme=dark; SameSite; Secure'), fails: 1 },
    { name: 'the last of two counts', given: set('theme=dark; SameSite=Lax; SameSite=Maybe'), fails: 1 },
    { name: 'Lax', given: set('theme=dark; samesite = LAX'), fails: 0 },
    { name: 'Strict', given: set('theme=dark; SameSite=Strict'), fails: 0 },
    { name: 'None, which another check judges', given: set('theme=dark; SameSite=None'), fails: 0 },
    { name: 'not there', given: set('theme=dark'), fails: 0 },
    { name: 'deleted', given: set('theme=; SameSite=Low; Max-Age=0'), fails: 0 },
  ],
});
