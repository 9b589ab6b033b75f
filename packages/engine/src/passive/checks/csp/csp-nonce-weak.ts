import type { Policies } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

const NONCE = /^'nonce-(.*)'$/i;
/** At least 8 characters of the nonce grammar that browsers accept. */
const GOOD_NONCE = /^[\w+/-]{6,}={0,2}$/;

const isWeak = (source: string) => {
  const nonce = NONCE.exec(source)?.[1];
  return nonce !== undefined && (nonce.length < 8 || !GOOD_NONCE.test(nonce));
};

const nonces = ({ enforced }: Policies) =>
  enforced.flatMap(({ directives }) => [...directives.values()].flat()).filter((source) => NONCE.test(source));

const twice = (first: string, second: string) => ({
  ...withPolicy(`script-src 'nonce-${first}'`),
  secondLook: {
    headers: { 'content-type': 'text/html', 'content-security-policy': `script-src 'nonce-${second}'` },
  },
});

export default definePassiveCheck({
  id: 'csp-nonce-weak',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 330,
  title: 'CSP nonce is weak, invalid or reused',
  why: 'A nonce protects only if an attacker cannot predict it. This one is shorter than 8 characters, contains characters that browsers reject, or was the same in two responses, for example from a cache. An attacker who guesses or reads it can add it to an injected script and bypass the policy (XSS).',
  fix: 'Generate 16 random bytes with a cryptographically secure generator for every response and encode them in Base64. Keep pages with a nonce out of shared caches with Cache-Control: private or no-store.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#security-nonces',
    'https://cwe.mitre.org/data/definitions/330.html',
  ],
  needs: ['policies', 'secondPolicies'],

  *run({ policies, secondPolicies }) {
    const first = new Set(nonces(policies));
    const weak = [...first].filter(isWeak);
    if (weak.length > 0) yield { evidence: `content-security-policy: … ${weak.join(' ')}` };
    const again = secondPolicies ? nonces(secondPolicies).filter((source) => first.has(source) && !isWeak(source)) : [];
    if (again.length > 0) {
      yield { evidence: `Two requests for the page returned the same nonce: … ${[...new Set(again)].join(' ')}` };
    }
  },

  examples: [
    { name: 'short nonce', given: withPolicy("script-src 'nonce-abc123'"), fails: 1 },
    { name: 'empty nonce', given: withPolicy("script-src 'nonce-'"), fails: 1 },
    { name: 'unrendered template placeholder', given: withPolicy("script-src 'nonce-{{csp_nonce}}'"), fails: 1 },
    { name: 'weak nonce in style-src', given: withPolicy("script-src 'self'; style-src 'nonce-1'"), fails: 1 },
    { name: 'random nonce', given: withPolicy("script-src 'nonce-4AEemGb0xJptoIGFP3Nd9w=='"), fails: 0 },
    { name: 'random nonce in base64url', given: withPolicy("script-src 'nonce-4AEemGb0_Jpt-IGF'"), fails: 0 },
    {
      name: 'nonce reused in the second response',
      given: twice('4AEemGb0xJptoIGFP3Nd9w==', '4AEemGb0xJptoIGFP3Nd9w=='),
      fails: 1,
    },
    { name: 'new nonce per response', given: twice('4AEemGb0xJptoIGFP3Nd9w==', 'Zm9vYmFyYmF6cXV4cXV1eA=='), fails: 0 },
    { name: 'no nonce', given: withPolicy("script-src 'self'"), fails: 0 },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
