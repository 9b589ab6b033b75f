import { definePassiveCheck } from '../../check.ts';
import { frameAncestors, frameOptions, hasFrameOption } from '../../evidence/framing.ts';

const allowFrom = { 'x-frame-options': 'ALLOW-FROM https://partner.example' };

export default definePassiveCheck({
  id: 'xfo-allow-from',
  group: 'headers',
  severity: 'MEDIUM',
  cwe: 1021,
  title: 'Framing is restricted in a way that browsers have given up',
  why: 'No current browser understands X-Frame-Options: ALLOW-FROM. They ignore the header, and everybody may frame the page.',
  fix: "Name the sites that may frame the page in Content-Security-Policy: frame-ancestors 'self' https://partner.example, and remove ALLOW-FROM.",
  references: [
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Frame-Options',
    'https://www.w3.org/TR/CSP3/#directive-frame-ancestors',
  ],
  needs: ['mainDocument', 'policies'],

  *run({ mainDocument, policies }) {
    if (!mainDocument.isHtml || frameAncestors(policies.enforced).length > 0 || hasFrameOption(mainDocument)) return;
    const isUsed = frameOptions(mainDocument).some((option) => /^ALLOW-FROM\b/.test(option));
    if (isUsed) yield { evidence: mainDocument.headerLines('x-frame-options') };
  },

  examples: [
    { name: 'alone', given: { headers: allowFrom }, fails: 1 },
    { name: 'in small letters', given: { headers: { 'x-frame-options': 'allow-from: https://a.example' } }, fails: 1 },
    {
      name: 'beside frame-ancestors in the page, where it is ignored',
      given: {
        headers: allowFrom,
        body: `<meta http-equiv="Content-Security-Policy" content="frame-ancestors 'self'">`,
      },
      fails: 1,
    },
    {
      name: 'for old browsers, beside frame-ancestors',
      given: { headers: { ...allowFrom, 'content-security-policy': 'frame-ancestors https://partner.example' } },
      fails: 0,
    },
    { name: 'SAMEORIGIN', given: { headers: { 'x-frame-options': 'SAMEORIGIN' } }, fails: 0 },
    {
      name: 'beside SAMEORIGIN, which browsers heed',
      given: { headers: { 'x-frame-options': ['SAMEORIGIN', 'ALLOW-FROM https://a.example'] } },
      fails: 0,
    },
    { name: 'no page', given: { headers: { ...allowFrom, 'content-type': 'application/json' } }, fails: 0 },
  ],
});
