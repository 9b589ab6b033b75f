import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'corp-missing',
  group: 'headers',
  severity: 'INFO',
  cwe: 693,
  title: 'Cross-Origin-Resource-Policy (CORP) header missing',
  why: "The response sends no Cross-Origin-Resource-Policy, so any site can embed it and load it into its own process. An attacker's page can then try to read the content with a speculative-execution side channel such as Spectre. The evidence shows the header as sent.",
  fix: 'Send Cross-Origin-Resource-Policy: same-origin or same-site. Use cross-origin only for resources that other sites are meant to embed.',
  recipe: { header: ['Cross-Origin-Resource-Policy', 'same-origin'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/XS_Leaks_Cheat_Sheet.html',
    'https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (mainDocument.headers('cross-origin-resource-policy').length > 0) return;
    yield { evidence: mainDocument.headerLines('cross-origin-resource-policy') };
  },

  examples: [
    { name: 'not sent', given: {}, fails: 1 },
    { name: 'sent', given: { headers: { 'cross-origin-resource-policy': 'same-origin' } }, fails: 0 },
    {
      name: 'invalid value (coop-coep-corp-invalid)',
      given: { headers: { 'cross-origin-resource-policy': 'mine' } },
      fails: 0,
    },
  ],
});
