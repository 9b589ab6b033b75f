import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'permissions-policy-missing',
  group: 'headers',
  severity: 'INFO',
  cwe: 693,
  title: 'The page does not give up features of the browser that it may not need',
  why: 'With Permissions-Policy a page can switch off camera, microphone, location and more for itself and all it embeds, so that a script that was slipped in cannot ask for them.',
  fix: 'Send Permissions-Policy with the features the site does not use, for example camera=(), microphone=(), geolocation=().',
  recipe: { header: ['Permissions-Policy', 'camera=(), microphone=(), geolocation=()'] },
  references: ['https://www.w3.org/TR/permissions-policy/'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (!mainDocument.isHtml || mainDocument.headers('permissions-policy').length > 0) return;
    yield { evidence: mainDocument.headerLines('permissions-policy') };
  },

  examples: [
    { name: 'not sent', given: {}, fails: 1 },
    { name: 'only its forerunner', given: { headers: { 'feature-policy': "camera 'none'" } }, fails: 1 },
    { name: 'sent', given: { headers: { 'permissions-policy': 'camera=()' } }, fails: 0 },
    { name: 'no page', given: { headers: { 'content-type': 'application/json' } }, fails: 0 },
  ],
});
