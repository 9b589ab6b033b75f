import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'dmarc-missing',
  group: 'email',
  severity: 'MEDIUM',
  cwe: 290,
  title: 'Nothing says what to do with forged mail',
  why: 'SPF alone looks at an address that readers do not see. Without DMARC, mail with your domain in its From line is delivered, whoever wrote it.',
  fix: 'Add a TXT record at _dmarc: begin with v=DMARC1; p=none; rua=mailto:… to see who sends, then set p=quarantine and p=reject.',
  references: ['https://www.rfc-editor.org/rfc/rfc9989', 'https://www.rfc-editor.org/rfc/rfc7489'],
  needs: ['dmarc'],

  *run({ dmarc }) {
    if (dmarc?.foundAt === null) yield { evidence: `No TXT record at _dmarc.${dmarc.domain} nor above it` };
  },

  examples: [
    { name: 'no record', given: { dns: { dmarc: { foundAt: null, records: [] } } }, fails: 1 },
    { name: 'a record', given: {}, fails: 0 },
    {
      name: 'a record of the registry',
      given: { dns: { dmarc: { foundAt: 'example', records: ['v=DMARC1; p=reject; psd=y'] } } },
      fails: 0,
    },
    { name: 'a site without a name', given: { dns: null }, fails: 0 },
  ],
});
