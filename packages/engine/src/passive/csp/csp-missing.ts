import { definePassiveCheck } from '../../check.ts';
import { policyLines } from '../../evidence/policies.ts';
import { withMetaPolicy, withPolicy } from '../given-policies.ts';

/** A page that sends neither of these relies on the defaults of browsers for everything: it was never hardened. */
const OTHERS = ['strict-transport-security', 'x-frame-options'];

const reported = { 'content-security-policy-report-only': "default-src 'self'" };
const hardened = { headers: { 'x-frame-options': 'DENY' } };

export default definePassiveCheck({
  id: 'csp-missing',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 693,
  title: 'The page has no Content-Security-Policy',
  why: 'A policy is the second line of defence: it stops a script that an attacker has injected into the page (XSS). Without one every injected script runs. Without HSTS and X-Frame-Options as well, the page has no protection beyond the defaults of browsers.',
  fix: "Send a Content-Security-Policy. Begin with Content-Security-Policy-Report-Only, mend what it reports, then enforce it: script-src with a nonce and 'strict-dynamic', object-src 'none', base-uri 'none'.",
  recipe: { header: ['Content-Security-Policy-Report-Only', "default-src 'self'; object-src 'none'; base-uri 'none'"] },
  references: ['https://www.w3.org/TR/CSP3/', 'https://web.dev/articles/strict-csp'],
  needs: ['mainDocument', 'policies'],
  suppressedBy: ['csp-only-via-legacy-header'],

  *run({ mainDocument, policies: { enforced, reportOnly } }) {
    if (!mainDocument.isHtml || enforced.length > 0) return;
    const sent = policyLines(enforced);
    const isBare = OTHERS.every((name) => mainDocument.headers(name).length === 0);
    if (reportOnly.length === 0 && isBare) {
      yield { severity: 'HIGH', evidence: `${sent}\n${mainDocument.headerLines(...OTHERS)}` };
    } else if (reportOnly.length === 0) yield { evidence: sent };
    else {
      const reported = policyLines(reportOnly, 'content-security-policy-report-only');
      yield { evidence: `There is a policy, but it only reports and stops nothing.\n${sent}\n${reported}` };
    }
  },

  examples: [
    { name: 'no security header at all', given: {}, fails: 1, severity: 'HIGH' },
    {
      name: 'nosniff only',
      given: { headers: { 'x-content-type-options': 'nosniff' } },
      fails: 1,
      severity: 'HIGH',
    },
    { name: 'none beside others', given: hardened, fails: 1 },
    { name: 'one that only reports', given: { headers: reported }, fails: 1 },
    {
      name: 'one that only reports, in the page, where it is ignored',
      given: {
        ...hardened,
        body: `<meta http-equiv="Content-Security-Policy-Report-Only" content="default-src 'self'">`,
      },
      fails: 1,
    },
    {
      name: 'in a comment of the page',
      given: { ...hardened, body: `<!--${withMetaPolicy("img-src 'self'").body}-->` },
      fails: 1,
    },
    { name: 'in the header', given: withPolicy("default-src 'self'"), fails: 0 },
    { name: 'in the page', given: withMetaPolicy("default-src 'self'"), fails: 0 },
    { name: 'an empty one, which another check judges', given: withPolicy(''), fails: 0 },
    { name: 'an answer of an API', given: { headers: { 'content-type': 'application/json' } }, fails: 0 },
  ],
});
