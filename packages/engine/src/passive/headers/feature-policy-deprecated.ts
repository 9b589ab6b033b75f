import { definePassiveCheck } from '../../check.ts';

const featurePolicy = { 'feature-policy': "camera 'none'" };

export default definePassiveCheck({
  id: 'feature-policy-deprecated',
  group: 'headers',
  severity: 'INFO',
  cwe: 477,
  title: 'Features of the browser are restricted by a header that was renamed',
  why: 'Feature-Policy has become Permissions-Policy, with another syntax. Browsers that know only the new one do not restrict anything.',
  fix: "Send the same as Permissions-Policy: camera 'none' becomes camera=(), and camera 'self' becomes camera=(self).",
  references: ['https://www.w3.org/TR/permissions-policy/'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const isOld = mainDocument.headers('feature-policy').length > 0;
    if (!isOld || mainDocument.headers('permissions-policy').length > 0) return;
    yield { evidence: mainDocument.headerLines('feature-policy', 'permissions-policy') };
  },

  examples: [
    { name: 'only the old one', given: { headers: featurePolicy }, fails: 1 },
    { name: 'both', given: { headers: { ...featurePolicy, 'permissions-policy': 'camera=()' } }, fails: 0 },
    { name: 'neither', given: {}, fails: 0 },
  ],
});
