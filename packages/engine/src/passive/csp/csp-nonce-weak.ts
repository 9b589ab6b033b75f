import { definePassiveCheck } from '../../check.ts';
import { withPolicy } from '../given-policies.ts';

const NONCE = /^'nonce-(.*)'$/i;
/** Of at least 8 characters, and only such as browsers take for a nonce. */
const GOOD_NONCE = /^[\w+/-]{6,}={0,2}$/;

const isWeak = (source: string) => {
  const nonce = NONCE.exec(source)?.[1];
  return nonce !== undefined && (nonce.length < 8 || !GOOD_NONCE.test(nonce));
};

export default definePassiveCheck({
  id: 'csp-nonce-weak',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 330,
  title: 'A nonce of the Content-Security-Policy can be guessed or is none',
  why: 'Scripts are trusted because nobody can know the nonce beforehand. A short one can be guessed; one with characters outside of Base64 is not taken for a nonce at all.',
  fix: 'Make the nonce from 16 bytes of a secure random generator, written in Base64, new for every answer.',
  references: ['https://www.w3.org/TR/CSP3/#security-nonces'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const sources = enforced.flatMap(({ directives }) => [...directives.values()].flat());
    const weak = new Set(sources.filter(isWeak));
    if (weak.size > 0) yield { evidence: `content-security-policy: … ${[...weak].join(' ')}` };
  },

  examples: [
    { name: 'short', given: withPolicy("script-src 'nonce-abc123'"), fails: 1 },
    { name: 'empty', given: withPolicy("script-src 'nonce-'"), fails: 1 },
    { name: 'with other characters', given: withPolicy("script-src 'nonce-{{csp_nonce}}'"), fails: 1 },
    { name: 'for styles', given: withPolicy("script-src 'self'; style-src 'nonce-1'"), fails: 1 },
    { name: 'long', given: withPolicy("script-src 'nonce-4AEemGb0xJptoIGFP3Nd9w=='"), fails: 0 },
    { name: 'in the letters of addresses', given: withPolicy("script-src 'nonce-4AEemGb0_Jpt-IGF'"), fails: 0 },
    { name: 'no nonce', given: withPolicy("script-src 'self'"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
