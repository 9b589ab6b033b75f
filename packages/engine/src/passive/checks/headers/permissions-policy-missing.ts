import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'permissions-policy-missing',
  group: 'headers',
  severity: 'INFO',
  cwe: 693,
  title: 'Permissions-Policy header missing',
  why: 'The page sends no Permissions-Policy, so it leaves features such as camera, microphone and geolocation enabled that it may not need. An attacker who injects a script can request them in the name of your site. The evidence shows the header as sent.',
  fix: "Send Permissions-Policy with every feature the site does not use, for example camera=(), microphone=(), geolocation=(). Grant features that some pages need to 'self' or to named origins.",
  recipe: { header: ['Permissions-Policy', 'camera=(), microphone=(), geolocation=()'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://www.w3.org/TR/permissions-policy/',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (!mainDocument.isHtml || mainDocument.headers('permissions-policy').length > 0) return;
    yield { evidence: mainDocument.headerLines('permissions-policy') };
  },

  examples: [
    { name: 'not sent', given: {}, fails: 1 },
    { name: 'Feature-Policy only', given: { headers: { 'feature-policy': "camera 'none'" } }, fails: 1 },
    { name: 'sent', given: { headers: { 'permissions-policy': 'camera=()' } }, fails: 0 },
    { name: 'not HTML', given: { headers: { 'content-type': 'application/json' } }, fails: 0 },
  ],
});
