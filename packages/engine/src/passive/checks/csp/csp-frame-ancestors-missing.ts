import { frameAncestors, hasFrameOption } from '../../../evidence/page/framing.ts';
import { policyLines } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

const policy = { 'content-security-policy': "default-src 'self'" };

export default definePassiveCheck({
  id: 'csp-frame-ancestors-missing',
  group: 'csp',
  severity: 'INFO',
  cwe: 1021,
  title: 'CSP without frame-ancestors (X-Frame-Options only)',
  why: 'The page restricts framing with X-Frame-Options, but its policy has no frame-ancestors directive. X-Frame-Options is obsolete and knows only DENY and SAMEORIGIN. Clickjacking protection then depends on a header that browsers evaluate only without frame-ancestors.',
  fix: "Add frame-ancestors 'none', or 'self' and the origins that embed the page, to the Content-Security-Policy. Keep X-Frame-Options for old browsers.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#directive-frame-ancestors',
    'https://cwe.mitre.org/data/definitions/1021.html',
  ],
  needs: ['mainDocument', 'policies'],

  *run({ mainDocument, policies: { enforced } }) {
    const isRestricted = enforced.length === 0 || frameAncestors(enforced).length > 0;
    // Without X-Frame-Options, clickjacking-unprotected reports the page.
    if (!mainDocument.isHtml || isRestricted || !hasFrameOption(mainDocument)) return;
    yield { evidence: `${mainDocument.headerLines('x-frame-options')}\n${policyLines(enforced)}` };
  },

  examples: [
    { name: 'X-Frame-Options only', given: { headers: { ...policy, 'x-frame-options': 'DENY' } }, fails: 1 },
    {
      name: 'X-Frame-Options and frame-ancestors',
      given: { headers: { 'content-security-policy': "frame-ancestors 'none'", 'x-frame-options': 'DENY' } },
      fails: 0,
    },
    { name: 'neither, judged by another check', given: withPolicy("default-src 'self'"), fails: 0 },
    { name: 'no policy, judged by another check', given: { headers: { 'x-frame-options': 'DENY' } }, fails: 0 },
    {
      name: 'not an HTML page',
      given: { headers: { ...policy, 'x-frame-options': 'DENY', 'content-type': 'application/json' } },
      fails: 0,
    },
  ],
});
