import { definePassiveCheck } from '../../check.ts';
import { validReferrerPolicies } from '../../evidence/referrer-policy.ts';

const sent = (...values: string[]) => ({ headers: { 'referrer-policy': values } });

export default definePassiveCheck({
  id: 'referrer-policy-invalid',
  group: 'headers',
  severity: 'LOW',
  cwe: 200,
  title: 'Browsers do not understand the Referrer-Policy',
  why: 'A header without any word that browsers know has no effect: what was meant to be kept from other sites is not.',
  fix: 'Send one of the known words, for example Referrer-Policy: strict-origin-when-cross-origin.',
  recipe: { header: ['Referrer-Policy', 'strict-origin-when-cross-origin'] },
  references: ['https://www.w3.org/TR/referrer-policy/#referrer-policy-header'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const values = mainDocument.headers('referrer-policy');
    if (values.length === 0 || validReferrerPolicies(values).length > 0) return;
    yield { evidence: mainDocument.headerLines('referrer-policy') };
  },

  examples: [
    { name: 'an unknown word', given: sent('strict'), fails: 1 },
    { name: 'nothing', given: sent(''), fails: 1 },
    { name: 'quotes', given: sent('"no-referrer"'), fails: 1 },
    { name: 'a known word', given: sent('No-Referrer'), fails: 0 },
    { name: 'a known word among others', given: sent('tomorrow, origin'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
