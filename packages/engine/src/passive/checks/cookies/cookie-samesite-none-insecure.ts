import { definePassiveCheck } from '../../define-passive-check.ts';

const set = (line: string) => ({ headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-samesite-none-insecure',
  group: 'cookies',
  severity: 'MEDIUM',
  cwe: 1275,
  title: 'Cookie with SameSite=None but without Secure',
  why: 'The cookie has SameSite=None without the Secure attribute. Current browsers reject it, so the feature that needs it fails. Older browsers send it with every cross-site request, also over unencrypted HTTP, where an attacker on the network path can read it.',
  fix: 'Set SameSite=None; Secure. Use SameSite=Lax instead if no other site embeds this one.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#samesite-attribute',
    'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-samesite-attribute-2',
    'https://cwe.mitre.org/data/definitions/1275.html',
  ],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, sameSite, isSecure } of cookies) {
      if (sameSite?.toLowerCase() !== 'none' || isSecure) continue;
      yield { url, evidence: `set-cookie: ${name}=…; SameSite=${sameSite} (without Secure)` };
    }
  },

  examples: [
    { name: 'without Secure', given: set('theme=dark; SameSite=None'), fails: 1 },
    { name: 'NONE in upper case', given: set('theme=dark; samesite=NONE; HttpOnly'), fails: 1 },
    { name: 'with Secure', given: set('theme=dark; SameSite=None; Secure'), fails: 0 },
    { name: 'Lax', given: set('theme=dark; SameSite=Lax'), fails: 0 },
    { name: 'no SameSite', given: set('theme=dark'), fails: 0 },
  ],
});
