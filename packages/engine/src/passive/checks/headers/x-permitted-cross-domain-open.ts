import { definePassiveCheck } from '../../define-passive-check.ts';

const sent = (value: string) => ({ headers: { 'x-permitted-cross-domain-policies': value } });

export default definePassiveCheck({
  id: 'x-permitted-cross-domain-open',
  group: 'headers',
  severity: 'LOW',
  cwe: 942,
  title: 'X-Permitted-Cross-Domain-Policies allows any policy file (all)',
  why: 'The site sends X-Permitted-Cross-Domain-Policies: all, so any file on it counts as a cross-domain policy. An attacker who can upload a file can let PDF readers and plugin content of other sites read data of this one. The evidence shows the header as sent.',
  fix: 'Send X-Permitted-Cross-Domain-Policies: none, or remove the header. Delete crossdomain.xml files that you do not need.',
  recipe: { header: ['X-Permitted-Cross-Domain-Policies', 'none'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/08-Test_RIA_Cross_Domain_Policy',
    'https://cwe.mitre.org/data/definitions/942.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const isOpen = mainDocument
      .headers('x-permitted-cross-domain-policies')
      .some((value) => value.trim().toLowerCase() === 'all');
    if (isOpen) yield { evidence: mainDocument.headerLines('x-permitted-cross-domain-policies') };
  },

  examples: [
    { name: 'all', given: sent('All'), fails: 1 },
    { name: 'none', given: sent('none'), fails: 0 },
    { name: 'master-only', given: sent('master-only'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
