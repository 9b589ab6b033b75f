import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'dns-caa-missing',
  group: 'dns',
  severity: 'LOW',
  cwe: 295,
  title: 'Every authority may issue certificates for this name',
  why: 'Without a CAA record, a mistake of any of the hundreds of authorities is enough for a certificate in the wrong hands.',
  fix: 'Add a CAA record for each authority you use, such as: 0 issue "letsencrypt.org".',
  references: ['https://www.rfc-editor.org/rfc/rfc8659'],
  needs: ['caa'],

  *run({ caa }) {
    if (caa?.foundAt === null) yield { evidence: `No CAA record for ${caa.host} nor above it` };
  },

  examples: [
    { name: 'no record', given: { dns: { caa: { foundAt: null, records: [] } } }, fails: 1 },
    { name: 'a record of the name above', given: { dns: { caa: { host: 'www.site.example' } } }, fails: 0 },
    { name: 'a site without a name', given: { dns: null }, fails: 0 },
  ],
});
