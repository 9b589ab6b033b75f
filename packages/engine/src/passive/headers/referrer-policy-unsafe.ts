import { definePassiveCheck } from '../../check.ts';
import { referrerPolicyOf } from '../../evidence/referrer-policy.ts';

const LEAKING = new Set(['unsafe-url', 'no-referrer-when-downgrade', 'origin', 'origin-when-cross-origin']);

const sent = (...values: string[]) => ({ headers: { 'referrer-policy': values } });

export default definePassiveCheck({
  id: 'referrer-policy-unsafe',
  group: 'headers',
  severity: 'LOW',
  cwe: 200,
  title: 'Other sites are told more about where visitors come from than browsers would tell',
  why: 'The chosen policy sends the full address of the page, or its origin over plain http, to other sites. Addresses can hold search words, names and tokens.',
  fix: 'Send Referrer-Policy: strict-origin-when-cross-origin (what browsers do by themselves), same-origin or no-referrer.',
  recipe: { header: ['Referrer-Policy', 'strict-origin-when-cross-origin'] },
  references: ['https://www.w3.org/TR/referrer-policy/#referrer-policies'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const policy = referrerPolicyOf(mainDocument);
    if (policy !== undefined && LEAKING.has(policy)) {
      yield { evidence: `${mainDocument.headerLines('referrer-policy')}\nin force: ${policy}` };
    }
  },

  examples: [
    { name: 'the whole address', given: sent('unsafe-url'), fails: 1 },
    { name: 'an old default', given: sent('No-Referrer-When-Downgrade'), fails: 1 },
    { name: 'the origin, also over plain http', given: sent('origin'), fails: 1 },
    { name: 'origin-when-cross-origin', given: sent('origin-when-cross-origin'), fails: 1 },
    { name: 'the last one that is understood', given: sent('no-referrer, unsafe-url, tomorrow'), fails: 1 },
    { name: 'in a second header', given: sent('no-referrer', 'unsafe-url'), fails: 1 },
    { name: 'in the page', given: { body: '<meta name="referrer" content="unsafe-url">' }, fails: 1 },
    { name: 'in the page, in an old word', given: { body: '<meta name="referrer" content="always">' }, fails: 1 },
    {
      name: 'the page overrules the header',
      given: { ...sent('unsafe-url'), body: '<meta name="referrer" content="no-referrer">' },
      fails: 0,
    },
    { name: 'a fallback for old browsers', given: sent('unsafe-url, strict-origin-when-cross-origin'), fails: 0 },
    { name: 'a safe one', given: sent('same-origin'), fails: 0 },
    { name: 'not sent: browsers have a safe default', given: {}, fails: 0 },
    { name: 'unknown words, which another check judges', given: sent('whatever'), fails: 0 },
  ],
});
