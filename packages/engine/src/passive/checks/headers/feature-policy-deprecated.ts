import { definePassiveCheck } from '../../define-passive-check.ts';

const featurePolicy = { 'feature-policy': "camera 'none'" };

export default definePassiveCheck({
  id: 'feature-policy-deprecated',
  group: 'headers',
  severity: 'INFO',
  cwe: 477,
  title: 'Obsolete Feature-Policy header without Permissions-Policy',
  why: 'The site restricts browser features with Feature-Policy only. Its successor Permissions-Policy has a different syntax, and browsers that support only the new header restrict nothing: an injected script or an embedded frame of an attacker can request camera, microphone or location. The evidence shows both headers as sent.',
  fix: "Send the same rules as Permissions-Policy: camera 'none' becomes camera=(), and camera 'self' becomes camera=(self). Remove Feature-Policy afterwards.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://www.w3.org/TR/permissions-policy/',
    'https://cwe.mitre.org/data/definitions/477.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const isOld = mainDocument.headers('feature-policy').length > 0;
    if (!isOld || mainDocument.headers('permissions-policy').length > 0) return;
    yield { evidence: mainDocument.headerLines('feature-policy', 'permissions-policy') };
  },

  examples: [
    { name: 'Feature-Policy only', given: { headers: featurePolicy }, fails: 1 },
    { name: 'both headers', given: { headers: { ...featurePolicy, 'permissions-policy': 'camera=()' } }, fails: 0 },
    { name: 'neither header', given: {}, fails: 0 },
  ],
});
