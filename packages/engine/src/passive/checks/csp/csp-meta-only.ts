import { policyLines } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withMetaPolicy, withPolicy } from '../../example-policies.ts';

export default definePassiveCheck({
  id: 'csp-meta-only',
  group: 'csp',
  severity: 'INFO',
  cwe: 693,
  title: 'CSP delivered only in a meta tag',
  why: 'The page delivers its policy in a meta tag and not in a response header. Such a policy does not apply to content before the tag, and browsers ignore frame-ancestors, sandbox and reporting in it. HTML injected before the tag runs without restriction.',
  fix: 'Send the policy in the Content-Security-Policy response header. On static hosting without custom headers, keep the meta tag as the first element of the head.',
  references: [
    'https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-content-security-policy',
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    if (enforced.length > 0 && enforced.every(({ isMeta }) => isMeta)) yield { evidence: policyLines(enforced) };
  },

  examples: [
    { name: 'meta policy only', given: withMetaPolicy("default-src 'self'"), fails: 1 },
    { name: 'header policy', given: withPolicy("default-src 'self'"), fails: 0 },
    {
      name: 'header and meta policy',
      given: { ...withPolicy("frame-ancestors 'self'"), ...withMetaPolicy("default-src 'self'") },
      fails: 0,
    },
    { name: 'no policy, judged by another check', given: {}, fails: 0 },
  ],
});
