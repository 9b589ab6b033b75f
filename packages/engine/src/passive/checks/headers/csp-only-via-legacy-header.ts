import { definePassiveCheck } from '../../define-passive-check.ts';

const LEGACY = ['x-content-security-policy', 'x-webkit-csp'];

const policy = "default-src 'self'";

export default definePassiveCheck({
  id: 'csp-only-via-legacy-header',
  group: 'headers',
  severity: 'MEDIUM',
  cwe: 693,
  title: 'CSP sent only in a legacy header that browsers ignore',
  why: 'The Content-Security-Policy (CSP) is sent only as X-Content-Security-Policy or X-WebKit-CSP. No current browser reads these experimental names, so the page has no policy and an injected script of an attacker runs unrestricted. The evidence shows the headers as sent.',
  fix: 'Send the policy in the Content-Security-Policy header and remove the legacy headers. Deploy it as Content-Security-Policy-Report-Only first to find out what it would block.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['mainDocument', 'policies'],

  *run({ mainDocument, policies }) {
    const sent = LEGACY.filter((name) => mainDocument.headers(name).length > 0);
    if (!mainDocument.isHtml || sent.length === 0 || policies.enforced.length > 0) return;
    yield { evidence: mainDocument.headerLines(...sent, 'content-security-policy') };
  },

  examples: [
    { name: 'one legacy header', given: { headers: { 'x-content-security-policy': policy } }, fails: 1 },
    {
      name: 'both legacy headers',
      given: { headers: { 'X-WebKit-CSP': policy, 'x-content-security-policy': policy } },
      fails: 1,
    },
    {
      name: 'next to the standard header',
      given: { headers: { 'x-webkit-csp': policy, 'content-security-policy': policy } },
      fails: 0,
    },
    {
      name: 'next to a policy in a meta tag',
      given: {
        headers: { 'x-webkit-csp': policy },
        body: `<meta http-equiv="content-security-policy" content="${policy}">`,
      },
      fails: 0,
    },
    { name: 'no policy (csp-missing)', given: {}, fails: 0 },
  ],
});
