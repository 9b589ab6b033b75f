import { definePassiveCheck } from '../../check.ts';

const sent = (value: string) => ({ headers: { 'x-permitted-cross-domain-policies': value } });

export default definePassiveCheck({
  id: 'x-permitted-cross-domain-open',
  group: 'headers',
  severity: 'LOW',
  cwe: 942,
  title: 'Any file of this site may open it to documents and plugins of other sites',
  why: 'With X-Permitted-Cross-Domain-Policies: all a file that a visitor uploaded can serve as a policy that lets PDF readers and other clients of other sites read data here.',
  fix: 'Send X-Permitted-Cross-Domain-Policies: none, or leave the header out.',
  recipe: { header: ['X-Permitted-Cross-Domain-Policies', 'none'] },
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html'],
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
    { name: 'only the main file', given: sent('master-only'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
