import { definePassiveCheck } from '../../check.ts';
import { policyLines } from '../../evidence/policies.ts';
import { withMetaPolicy, withPolicy } from '../given-policies.ts';

const reported = { 'content-security-policy-report-only': "default-src 'self'" };

export default definePassiveCheck({
  id: 'csp-missing',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 693,
  title: 'The page has no Content-Security-Policy',
  why: 'A policy is the second line of defence: it stops a script that somebody managed to slip into the page. Without one every such script runs.',
  fix: "Send a Content-Security-Policy. Begin with Content-Security-Policy-Report-Only, mend what it reports, then enforce it: script-src with a nonce and 'strict-dynamic', object-src 'none', base-uri 'none'.",
  recipe: { header: ['Content-Security-Policy-Report-Only', "default-src 'self'; object-src 'none'; base-uri 'none'"] },
  references: ['https://www.w3.org/TR/CSP3/', 'https://web.dev/articles/strict-csp'],
  needs: ['mainDocument', 'policies'],

  *run({ mainDocument, policies: { enforced, reportOnly } }) {
    if (!mainDocument.isHtml || enforced.length > 0) return;
    const sent = policyLines(enforced);
    if (reportOnly.length === 0) yield { evidence: sent };
    else {
      const reported = policyLines(reportOnly, 'content-security-policy-report-only');
      yield { evidence: `There is a policy, but it only reports and stops nothing.\n${sent}\n${reported}` };
    }
  },

  examples: [
    { name: 'none', given: {}, fails: 1 },
    { name: 'one that only reports', given: { headers: reported }, fails: 1 },
    {
      name: 'one that only reports, in the page, where it is ignored',
      given: { body: `<meta http-equiv="Content-Security-Policy-Report-Only" content="default-src 'self'">` },
      fails: 1,
    },
    { name: 'in a comment of the page', given: { body: `<!--${withMetaPolicy("img-src 'self'").body}-->` }, fails: 1 },
    { name: 'in the header', given: withPolicy("default-src 'self'"), fails: 0 },
    { name: 'in the page', given: withMetaPolicy("default-src 'self'"), fails: 0 },
    { name: 'an empty one, which another check judges', given: withPolicy(''), fails: 0 },
    { name: 'an answer of an API', given: { headers: { 'content-type': 'application/json' } }, fails: 0 },
  ],
});
