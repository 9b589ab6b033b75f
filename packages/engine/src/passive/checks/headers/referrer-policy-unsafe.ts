import { referrerPolicyOf } from '../../../evidence/page/referrer-policy.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const LEAKING = new Set(['unsafe-url', 'no-referrer-when-downgrade', 'origin', 'origin-when-cross-origin']);

const sent = (...values: string[]) => ({ headers: { 'referrer-policy': values } });

export default definePassiveCheck({
  id: 'referrer-policy-unsafe',
  group: 'headers',
  severity: 'LOW',
  cwe: 200,
  title: 'Referrer-Policy leaks URLs to other sites',
  why: 'The Referrer-Policy in effect sends the full URL of the page, or its origin over unencrypted HTTP, to other sites. URLs can contain search terms, personal data and tokens, which the operator of a linked site or an attacker on the network path then reads. The evidence shows the header and the policy in effect.',
  fix: "Send Referrer-Policy: strict-origin-when-cross-origin (the browsers' default), same-origin or no-referrer. Do not put tokens or personal data into URLs.",
  recipe: { header: ['Referrer-Policy', 'strict-origin-when-cross-origin'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://www.w3.org/TR/referrer-policy/#referrer-policies',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const policy = referrerPolicyOf(mainDocument);
    if (policy !== undefined && LEAKING.has(policy)) {
      yield { evidence: `${mainDocument.headerLines('referrer-policy')}\nin effect: ${policy}` };
    }
  },

  examples: [
    { name: 'unsafe-url', given: sent('unsafe-url'), fails: 1 },
    { name: 'no-referrer-when-downgrade', given: sent('No-Referrer-When-Downgrade'), fails: 1 },
    { name: 'origin', given: sent('origin'), fails: 1 },
    { name: 'origin-when-cross-origin', given: sent('origin-when-cross-origin'), fails: 1 },
    { name: 'last valid value applies', given: sent('no-referrer, unsafe-url, tomorrow'), fails: 1 },
    { name: 'second header', given: sent('no-referrer', 'unsafe-url'), fails: 1 },
    { name: 'meta tag', given: { body: '<meta name="referrer" content="unsafe-url">' }, fails: 1 },
    { name: 'legacy keyword in a meta tag', given: { body: '<meta name="referrer" content="always">' }, fails: 1 },
    {
      name: 'meta tag overrides the header',
      given: { ...sent('unsafe-url'), body: '<meta name="referrer" content="no-referrer">' },
      fails: 0,
    },
    { name: 'fallback for old browsers', given: sent('unsafe-url, strict-origin-when-cross-origin'), fails: 0 },
    { name: 'same-origin', given: sent('same-origin'), fails: 0 },
    { name: 'not sent (safe browser default)', given: {}, fails: 0 },
    { name: 'invalid value (referrer-policy-invalid)', given: sent('whatever'), fails: 0 },
  ],
});
