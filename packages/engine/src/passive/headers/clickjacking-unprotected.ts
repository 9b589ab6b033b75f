import { definePassiveCheck } from '../../check.ts';
import { frameAncestors, hasFrameOption } from '../../evidence/framing.ts';
import { isAnywhere } from '../../evidence/sources.ts';

const restricts = (sources: readonly string[]) => !sources.some(isAnywhere);

export default definePassiveCheck({
  id: 'clickjacking-unprotected',
  group: 'headers',
  severity: 'MEDIUM',
  cwe: 1021,
  title: 'Other sites can frame this page',
  why: 'A page that can be framed can be laid invisibly over a decoy, so that a visitor clicks on what they cannot see.',
  fix: "Send Content-Security-Policy: frame-ancestors 'self' (or 'none'); for very old browsers X-Frame-Options: SAMEORIGIN as well.",
  recipe: { header: ['Content-Security-Policy', "frame-ancestors 'self'"] },
  references: [
    'https://www.w3.org/TR/CSP3/#directive-frame-ancestors',
    'https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header',
  ],
  needs: ['mainDocument', 'policies'],
  suppressedBy: ['xfo-allow-from'],

  *run({ mainDocument, policies }) {
    if (!mainDocument.isHtml) return;
    const ancestors = frameAncestors(policies.enforced);
    // A browser that finds frame-ancestors does not look at X-Frame-Options any more.
    const isProtected = ancestors.length > 0 ? ancestors.some(restricts) : hasFrameOption(mainDocument);
    if (!isProtected) yield { evidence: mainDocument.headerLines('x-frame-options', 'content-security-policy') };
  },

  examples: [
    { name: 'no protection', given: {}, fails: 1 },
    { name: 'no protection on plain http', given: { url: 'http://site.example/' }, fails: 1 },
    { name: 'frame-ancestors *', given: { headers: { 'content-security-policy': 'frame-ancestors *' } }, fails: 1 },
    { name: 'a whole scheme', given: { headers: { 'content-security-policy': 'frame-ancestors https:' } }, fails: 1 },
    { name: 'any host', given: { headers: { 'content-security-policy': 'frame-ancestors https://*:443' } }, fails: 1 },
    {
      name: 'frame-ancestors * overrules X-Frame-Options',
      given: { headers: { 'content-security-policy': 'frame-ancestors *', 'x-frame-options': 'DENY' } },
      fails: 1,
    },
    {
      name: 'a policy that is only reported',
      given: { headers: { 'content-security-policy-report-only': "frame-ancestors 'none'" } },
      fails: 1,
    },
    { name: 'another policy', given: { headers: { 'content-security-policy': "default-src 'self'" } }, fails: 1 },
    { name: 'ALLOW-FROM', given: { headers: { 'x-frame-options': 'ALLOW-FROM https://a.example' } }, fails: 1 },
    {
      name: 'only in the page, where browsers ignore it',
      given: { body: '<meta http-equiv="X-Frame-Options" content="DENY">' },
      fails: 1,
    },
    {
      name: 'a policy in the page, where frame-ancestors is ignored',
      given: { body: `<meta http-equiv="Content-Security-Policy" content="frame-ancestors 'none'">` },
      fails: 1,
    },
    { name: "the site's own", given: { headers: { 'content-security-policy': "frame-ancestors 'self'" } }, fails: 0 },
    { name: 'nobody', given: { headers: { 'Content-Security-Policy': 'img-src *; Frame-Ancestors' } }, fails: 0 },
    {
      name: 'named hosts',
      given: { headers: { 'content-security-policy': "frame-ancestors 'self' https://*.partner.example" } },
      fails: 0,
    },
    {
      name: 'the stricter of two policies counts',
      given: { headers: { 'content-security-policy': "frame-ancestors *, frame-ancestors 'none'" } },
      fails: 0,
    },
    {
      name: 'the second policy of one header',
      given: { headers: { 'content-security-policy': "default-src 'self', frame-ancestors 'none'" } },
      fails: 0,
    },
    {
      name: 'the first of two directives counts',
      given: { headers: { 'content-security-policy': "frame-ancestors 'none'; frame-ancestors *" } },
      fails: 0,
    },
    { name: 'DENY', given: { headers: { 'x-frame-options': 'DENY' } }, fails: 0 },
    { name: 'the same twice', given: { headers: { 'x-frame-options': ['sameorigin', 'SAMEORIGIN'] } }, fails: 0 },
    {
      name: 'two values that contradict each other: browsers refuse to frame the page',
      given: { headers: { 'x-frame-options': ['DENY', 'SAMEORIGIN'] } },
      fails: 0,
    },
    {
      name: 'a known value beside an unknown one',
      given: { headers: { 'x-frame-options': 'SAMEORIGIN, ALLOW-FROM https://a.example' } },
      fails: 0,
    },
    {
      name: 'two values that browsers do not know',
      given: { headers: { 'x-frame-options': 'NONE, ALLOW-FROM https://a.example' } },
      fails: 1,
    },
    { name: 'ALLOWALL', given: { headers: { 'x-frame-options': 'ALLOWALL' } }, fails: 1 },
    { name: 'an image', given: { headers: { 'content-type': 'image/png' } }, fails: 0 },
  ],
});
