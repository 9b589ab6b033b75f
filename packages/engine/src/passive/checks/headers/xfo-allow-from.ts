import { frameAncestors, frameOptions, hasFrameOption } from '../../../evidence/page/framing.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const allowFrom = { 'x-frame-options': 'ALLOW-FROM https://partner.example' };

export default definePassiveCheck({
  id: 'xfo-allow-from',
  group: 'headers',
  severity: 'MEDIUM',
  cwe: 1021,
  title: 'Clickjacking: X-Frame-Options ALLOW-FROM is ignored by browsers',
  why: 'The page restricts framing with X-Frame-Options: ALLOW-FROM, which no current browser supports. They ignore the header, so an attacker can frame the page over a decoy and make visitors click buttons they cannot see. The evidence shows the header as sent.',
  fix: "List the sites that may frame the page in Content-Security-Policy: frame-ancestors 'self' https://partner.example, and remove ALLOW-FROM. Browsers that support frame-ancestors ignore X-Frame-Options, so SAMEORIGIN can stay as a fallback.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#directive-frame-ancestors',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Frame-Options',
    'https://cwe.mitre.org/data/definitions/1021.html',
  ],
  needs: ['mainDocument', 'policies'],

  *run({ mainDocument, policies }) {
    if (!mainDocument.isHtml || frameAncestors(policies.enforced).length > 0 || hasFrameOption(mainDocument)) return;
    const isUsed = frameOptions(mainDocument).some((option) => /^ALLOW-FROM\b/.test(option));
    if (isUsed) yield { evidence: mainDocument.headerLines('x-frame-options') };
  },

  examples: [
    { name: 'ALLOW-FROM alone', given: { headers: allowFrom }, fails: 1 },
    { name: 'lowercase', given: { headers: { 'x-frame-options': 'allow-from: https://a.example' } }, fails: 1 },
    {
      name: 'next to frame-ancestors in a meta tag (ignored by browsers)',
      given: {
        headers: allowFrom,
        body: `<meta http-equiv="Content-Security-Policy" content="frame-ancestors 'self'">`,
      },
      fails: 1,
    },
    {
      name: 'next to frame-ancestors',
      given: { headers: { ...allowFrom, 'content-security-policy': 'frame-ancestors https://partner.example' } },
      fails: 0,
    },
    { name: 'SAMEORIGIN', given: { headers: { 'x-frame-options': 'SAMEORIGIN' } }, fails: 0 },
    {
      name: 'next to SAMEORIGIN',
      given: { headers: { 'x-frame-options': ['SAMEORIGIN', 'ALLOW-FROM https://a.example'] } },
      fails: 0,
    },
    { name: 'not HTML', given: { headers: { ...allowFrom, 'content-type': 'application/json' } }, fails: 0 },
  ],
});
