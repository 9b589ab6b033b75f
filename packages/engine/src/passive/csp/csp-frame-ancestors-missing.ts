import { definePassiveCheck } from '../../check.ts';
import { frameAncestors, hasFrameOption } from '../../evidence/framing.ts';
import { policyLines } from '../../evidence/policies.ts';
import { withPolicy } from '../given-policies.ts';

const policy = { 'content-security-policy': "default-src 'self'" };

export default definePassiveCheck({
  id: 'csp-frame-ancestors-missing',
  group: 'csp',
  severity: 'INFO',
  cwe: 1021,
  title: 'Only the older of two headers says who may frame the page',
  why: 'X-Frame-Options knows all or the own site only. frame-ancestors is what browsers look at first, and it can name the sites that may frame the page.',
  fix: "Add frame-ancestors 'self' (or 'none') to the Content-Security-Policy, and keep X-Frame-Options for very old browsers.",
  references: ['https://www.w3.org/TR/CSP3/#directive-frame-ancestors'],
  needs: ['mainDocument', 'policies'],

  *run({ mainDocument, policies: { enforced } }) {
    const isSaid = enforced.length === 0 || frameAncestors(enforced).length > 0;
    // Where X-Frame-Options does not protect the page either, clickjacking-unprotected says more.
    if (!mainDocument.isHtml || isSaid || !hasFrameOption(mainDocument)) return;
    yield { evidence: `${mainDocument.headerLines('x-frame-options')}\n${policyLines(enforced)}` };
  },

  examples: [
    { name: 'X-Frame-Options only', given: { headers: { ...policy, 'x-frame-options': 'DENY' } }, fails: 1 },
    {
      name: 'both',
      given: { headers: { 'content-security-policy': "frame-ancestors 'none'", 'x-frame-options': 'DENY' } },
      fails: 0,
    },
    { name: 'neither, which another check judges', given: withPolicy("default-src 'self'"), fails: 0 },
    { name: 'no policy, which another check judges', given: { headers: { 'x-frame-options': 'DENY' } }, fails: 0 },
    {
      name: 'no page',
      given: { headers: { ...policy, 'x-frame-options': 'DENY', 'content-type': 'application/json' } },
      fails: 0,
    },
  ],
});
