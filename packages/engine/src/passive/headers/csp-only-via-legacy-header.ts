import { definePassiveCheck } from '../../check.ts';

const LEGACY = ['x-content-security-policy', 'x-webkit-csp'];

const policy = "default-src 'self'";

export default definePassiveCheck({
  id: 'csp-only-via-legacy-header',
  group: 'headers',
  severity: 'MEDIUM',
  cwe: 693,
  title: 'The Content-Security-Policy is sent under a name that browsers do not read',
  why: 'X-Content-Security-Policy and X-WebKit-CSP were trials of old browsers. No current one heeds them, so the page has no policy at all.',
  fix: 'Send the policy as Content-Security-Policy, and remove the old headers.',
  references: ['https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP'],
  needs: ['mainDocument', 'policies'],

  *run({ mainDocument, policies }) {
    const sent = LEGACY.filter((name) => mainDocument.headers(name).length > 0);
    if (!mainDocument.isHtml || sent.length === 0 || policies.enforced.length > 0) return;
    yield { evidence: mainDocument.headerLines(...sent, 'content-security-policy') };
  },

  examples: [
    { name: 'one of them', given: { headers: { 'x-content-security-policy': policy } }, fails: 1 },
    { name: 'both', given: { headers: { 'X-WebKit-CSP': policy, 'x-content-security-policy': policy } }, fails: 1 },
    {
      name: 'beside the one browsers read',
      given: { headers: { 'x-webkit-csp': policy, 'content-security-policy': policy } },
      fails: 0,
    },
    {
      name: 'beside a policy in the page',
      given: {
        headers: { 'x-webkit-csp': policy },
        body: `<meta http-equiv="content-security-policy" content="${policy}">`,
      },
      fails: 0,
    },
    { name: 'no policy, which another check judges', given: {}, fails: 0 },
  ],
});
