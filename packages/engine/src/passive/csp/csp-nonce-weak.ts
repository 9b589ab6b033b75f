import { definePassiveCheck } from '../../check.ts';
import type { Policies } from '../../evidence/policies.ts';
import { withPolicy } from '../given-policies.ts';

const NONCE = /^'nonce-(.*)'$/i;
/** Of at least 8 characters, and only such as browsers take for a nonce. */
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
  title: 'A nonce of the Content-Security-Policy can be guessed, is none, or is always the same',
  why: 'Scripts are trusted because nobody can know the nonce beforehand. A short one can be guessed; one with characters outside of Base64 is not taken for a nonce at all; one that comes again, as with a page from a cache, can be read by anybody before an attack.',
  fix: 'Make the nonce from 16 bytes of a secure random generator, written in Base64, new for every answer, and keep pages that hold one out of shared caches.',
  references: ['https://www.w3.org/TR/CSP3/#security-nonces'],
  needs: ['policies', 'secondPolicies'],

  *run({ policies, secondPolicies }) {
    const first = new Set(nonces(policies));
    const weak = [...first].filter(isWeak);
    if (weak.length > 0) yield { evidence: `content-security-policy: … ${weak.join(' ')}` };
    const again = secondPolicies ? nonces(secondPolicies).filter((source) => first.has(source) && !isWeak(source)) : [];
    if (again.length > 0) {
      yield { evidence: `The page was asked for twice, and both times came with … ${[...new Set(again)].join(' ')}` };
    }
  },

  examples: [
    { name: 'short', given: withPolicy("script-src 'nonce-abc123'"), fails: 1 },
    { name: 'empty', given: withPolicy("script-src 'nonce-'"), fails: 1 },
    { name: 'with other characters', given: withPolicy("script-src 'nonce-{{csp_nonce}}'"), fails: 1 },
    { name: 'for styles', given: withPolicy("script-src 'self'; style-src 'nonce-1'"), fails: 1 },
    { name: 'long', given: withPolicy("script-src 'nonce-4AEemGb0xJptoIGFP3Nd9w=='"), fails: 0 },
    { name: 'in the letters of addresses', given: withPolicy("script-src 'nonce-4AEemGb0_Jpt-IGF'"), fails: 0 },
    { name: 'the same twice', given: twice('4AEemGb0xJptoIGFP3Nd9w==', '4AEemGb0xJptoIGFP3Nd9w=='), fails: 1 },
    { name: 'another one each time', given: twice('4AEemGb0xJptoIGFP3Nd9w==', 'Zm9vYmFyYmF6cXV4cXV1eA=='), fails: 0 },
    { name: 'no nonce', given: withPolicy("script-src 'self'"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
