import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'corp-missing',
  group: 'headers',
  severity: 'INFO',
  cwe: 693,
  title: 'Other sites may load this answer as a part of theirs',
  why: 'Without Cross-Origin-Resource-Policy another site can draw the answer into its own process, where a flaw of the processor lets it read what it should not.',
  fix: 'Send Cross-Origin-Resource-Policy: same-origin, or same-site; cross-origin only for what other sites are meant to embed.',
  recipe: { header: ['Cross-Origin-Resource-Policy', 'same-origin'] },
  references: ['https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (mainDocument.headers('cross-origin-resource-policy').length > 0) return;
    yield { evidence: mainDocument.headerLines('cross-origin-resource-policy') };
  },

  examples: [
    { name: 'not sent', given: {}, fails: 1 },
    { name: 'sent', given: { headers: { 'cross-origin-resource-policy': 'same-origin' } }, fails: 0 },
    {
      name: 'an unknown word, which another check judges',
      given: { headers: { 'cross-origin-resource-policy': 'mine' } },
      fails: 0,
    },
  ],
});
