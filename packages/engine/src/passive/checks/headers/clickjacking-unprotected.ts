import { frameAncestors, hasFrameOption } from '../../../evidence/page/framing.ts';
import { isAnywhere } from '../../../evidence/page/sources.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const restricts = (sources: readonly string[]) => !sources.some(isAnywhere);

export default definePassiveCheck({
  id: 'clickjacking-unprotected',
  group: 'headers',
  severity: 'MEDIUM',
  cwe: 1021,
  title: 'Clickjacking: page can be framed by any site',
  why: 'Neither a CSP frame-ancestors directive nor X-Frame-Options prevents other sites from loading this page in a frame. An attacker places the page invisibly over a decoy (UI redressing) and makes a signed-in visitor click buttons they cannot see. The evidence shows the two headers as sent.',
  fix: "Send Content-Security-Policy: frame-ancestors 'self' (or 'none'). For browsers without CSP level 2, add X-Frame-Options: SAMEORIGIN.",
  recipe: { header: ['Content-Security-Policy', "frame-ancestors 'self'"] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/11-Client-side_Testing/09-Testing_for_Clickjacking',
    'https://www.w3.org/TR/CSP3/#directive-frame-ancestors',
    'https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header',
    'https://cwe.mitre.org/data/definitions/1021.html',
  ],
  needs: ['mainDocument', 'policies'],
  suppressedBy: ['xfo-allow-from'],

  *run({ mainDocument, policies }) {
    if (!mainDocument.isHtml) return;
    const ancestors = frameAncestors(policies.enforced);
    // Browsers ignore X-Frame-Options if a policy contains frame-ancestors.
    const isProtected = ancestors.length > 0 ? ancestors.some(restricts) : hasFrameOption(mainDocument);
    if (!isProtected) yield { evidence: mainDocument.headerLines('x-frame-options', 'content-security-policy') };
  },

  examples: [
    { name: 'no protection', given: {}, fails: 1 },
    { name: 'no protection over HTTP', given: { url: 'http://site.example/' }, fails: 1 },
    { name: 'frame-ancestors *', given: { headers: { 'content-security-policy': 'frame-ancestors *' } }, fails: 1 },
    {
      name: 'frame-ancestors with a scheme source',
      given: { headers: { 'content-security-policy': 'frame-ancestors https:' } },
      fails: 1,
    },
    {
      name: 'frame-ancestors with a wildcard host',
      given: { headers: { 'content-security-policy': 'frame-ancestors https://*:443' } },
      fails: 1,
    },
    {
      name: 'frame-ancestors * overrides X-Frame-Options',
      given: { headers: { 'content-security-policy': 'frame-ancestors *', 'x-frame-options': 'DENY' } },
      fails: 1,
    },
    {
      name: 'report-only policy',
      given: { headers: { 'content-security-policy-report-only': "frame-ancestors 'none'" } },
      fails: 1,
    },
    {
      name: 'policy without frame-ancestors',
      given: { headers: { 'content-security-policy': "default-src 'self'" } },
      fails: 1,
    },
    { name: 'ALLOW-FROM', given: { headers: { 'x-frame-options': 'ALLOW-FROM https://a.example' } }, fails: 1 },
    {
      name: 'X-Frame-Options in a meta tag (ignored by browsers)',
      given: { body: '<meta http-equiv="X-Frame-Options" content="DENY">' },
      fails: 1,
    },
    {
      name: 'frame-ancestors in a meta tag (ignored by browsers)',
      given: { body: `<meta http-equiv="Content-Security-Policy" content="frame-ancestors 'none'">` },
      fails: 1,
    },
    {
      name: "frame-ancestors 'self'",
      given: { headers: { 'content-security-policy': "frame-ancestors 'self'" } },
      fails: 0,
    },
    {
      name: 'empty frame-ancestors',
      given: { headers: { 'Content-Security-Policy': 'img-src *; Frame-Ancestors' } },
      fails: 0,
    },
    {
      name: 'frame-ancestors with an allowlist',
      given: { headers: { 'content-security-policy': "frame-ancestors 'self' https://*.partner.example" } },
      fails: 0,
    },
    {
      name: 'strictest of two policies applies',
      given: { headers: { 'content-security-policy': "frame-ancestors *, frame-ancestors 'none'" } },
      fails: 0,
    },
    {
      name: 'second policy in one header',
      given: { headers: { 'content-security-policy': "default-src 'self', frame-ancestors 'none'" } },
      fails: 0,
    },
    {
      name: 'first of two directives applies',
      given: { headers: { 'content-security-policy': "frame-ancestors 'none'; frame-ancestors *" } },
      fails: 0,
    },
    { name: 'DENY', given: { headers: { 'x-frame-options': 'DENY' } }, fails: 0 },
    {
      name: 'X-Frame-Options sent twice',
      given: { headers: { 'x-frame-options': ['sameorigin', 'SAMEORIGIN'] } },
      fails: 0,
    },
    {
      name: 'conflicting values (browsers refuse to frame the page)',
      given: { headers: { 'x-frame-options': ['DENY', 'SAMEORIGIN'] } },
      fails: 0,
    },
    {
      name: 'valid value next to an invalid one',
      given: { headers: { 'x-frame-options': 'SAMEORIGIN, ALLOW-FROM https://a.example' } },
      fails: 0,
    },
    {
      name: 'two invalid values',
      given: { headers: { 'x-frame-options': 'NONE, ALLOW-FROM https://a.example' } },
      fails: 1,
    },
    { name: 'ALLOWALL', given: { headers: { 'x-frame-options': 'ALLOWALL' } }, fails: 1 },
    { name: 'image', given: { headers: { 'content-type': 'image/png' } }, fails: 0 },
  ],
});
