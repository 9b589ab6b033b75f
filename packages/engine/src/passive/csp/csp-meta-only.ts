import { definePassiveCheck } from '../../check.ts';
import { policyLines } from '../../evidence/policies.ts';
import { withMetaPolicy, withPolicy } from '../given-policies.ts';

export default definePassiveCheck({
  id: 'csp-meta-only',
  group: 'csp',
  severity: 'INFO',
  cwe: 693,
  title: 'The Content-Security-Policy stands in the page only',
  why: 'A policy in a meta tag holds only for what follows the tag, cannot say who may frame the page, and cannot be reported against. What is slipped in before it is free.',
  fix: 'Send the policy as a header. Where only files can be served, keep the meta tag as the first element of the head.',
  references: ['https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-content-security-policy'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    if (enforced.length > 0 && enforced.every(({ isMeta }) => isMeta)) yield { evidence: policyLines(enforced) };
  },

  examples: [
    { name: 'in the page', given: withMetaPolicy("default-src 'self'"), fails: 1 },
    { name: 'in the header', given: withPolicy("default-src 'self'"), fails: 0 },
    {
      name: 'in both',
      given: { ...withPolicy("frame-ancestors 'self'"), ...withMetaPolicy("default-src 'self'") },
      fails: 0,
    },
    { name: 'nowhere, which another check judges', given: {}, fails: 0 },
  ],
});
