import { policyLines } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withMetaPolicy, withPolicy } from '../../example-policies.ts';

/** A page without any of these headers relies on browser defaults alone. */
const OTHERS = ['strict-transport-security', 'x-frame-options'];

const reported = { 'content-security-policy-report-only': "default-src 'self'" };
const hardened = { headers: { 'x-frame-options': 'DENY' } };

export default definePassiveCheck({
  id: 'csp-missing',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 693,
  title: 'Content-Security-Policy (CSP) missing',
  why: 'The page sends no enforced Content Security Policy, in neither a header nor a meta tag. A policy is the second layer of defence against cross-site scripting (XSS): without it, every script that an attacker injects runs. Without HSTS and X-Frame-Options as well, the page relies on browser defaults alone and the severity is higher.',
  fix: "Start with Content-Security-Policy-Report-Only and fix what it reports. Then enforce a strict policy: script-src with a nonce and 'strict-dynamic', object-src 'none', base-uri 'none'.",
  recipe: { header: ['Content-Security-Policy-Report-Only', "default-src 'self'; object-src 'none'; base-uri 'none'"] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/12-Test_for_Content_Security_Policy',
    'https://www.w3.org/TR/CSP3/',
    'https://web.dev/articles/strict-csp',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
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
      yield { evidence: `Only a report-only policy is sent, which blocks nothing.\n${sent}\n${reported}` };
    }
  },

  examples: [
    { name: 'no security header at all', given: {}, fails: 1, severity: 'HIGH' },
    {
      name: 'X-Content-Type-Options only',
      given: { headers: { 'x-content-type-options': 'nosniff' } },
      fails: 1,
      severity: 'HIGH',
    },
    { name: 'other security headers only', given: hardened, fails: 1 },
    { name: 'report-only policy', given: { headers: reported }, fails: 1 },
    {
      name: 'report-only meta policy, which browsers ignore',
      given: {
        ...hardened,
        body: `<meta http-equiv="Content-Security-Policy-Report-Only" content="default-src 'self'">`,
      },
      fails: 1,
    },
    {
      name: 'meta policy in a comment',
      given: { ...hardened, body: `<!--${withMetaPolicy("img-src 'self'").body}-->` },
      fails: 1,
    },
    { name: 'header policy', given: withPolicy("default-src 'self'"), fails: 0 },
    { name: 'meta policy', given: withMetaPolicy("default-src 'self'"), fails: 0 },
    { name: 'empty policy, judged by another check', given: withPolicy(''), fails: 0 },
    { name: 'API response', given: { headers: { 'content-type': 'application/json' } }, fails: 0 },
  ],
});
