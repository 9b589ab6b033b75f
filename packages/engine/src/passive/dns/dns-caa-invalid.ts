import { definePassiveCheck } from '../../check.ts';
import { describeCaa, problemOf } from '../../evidence/dns/caa.ts';

const record = (tag: string, value: string, flags = 0) => ({ flags, tag, value });

export default definePassiveCheck({
  id: 'dns-caa-invalid',
  group: 'dns',
  severity: 'LOW',
  cwe: 295,
  title: 'A CAA record is not understood',
  why: 'Authorities take what they do not understand for a no when it is marked as critical, and for nothing otherwise: the next certificate may be refused, or issued by whom you meant to exclude.',
  fix: 'Write issue and issuewild with the domain of the authority, iodef with a mailto: or https: URL, and nothing else.',
  references: ['https://www.rfc-editor.org/rfc/rfc8659#section-4'],
  needs: ['caa'],

  *run({ caa }) {
    for (const one of caa?.records ?? []) {
      const problem = problemOf(one);
      if (problem) yield { evidence: `CAA ${caa?.foundAt}: ${describeCaa(one)}: ${problem}` };
    }
  },

  examples: [
    {
      name: 'an unknown tag that is critical',
      given: { dns: { caa: { records: [record('tbs', 'x', 128)] } } },
      fails: 1,
    },
    {
      name: 'a URL for a name',
      given: { dns: { caa: { records: [record('issue', 'https://ca.example')] } } },
      fails: 1,
    },
    {
      name: 'an address without mailto:',
      given: { dns: { caa: { records: [record('iodef', 'a@b.example')] } } },
      fails: 1,
    },
    {
      name: 'a tag with odd characters',
      given: { dns: { caa: { records: [record('issue ', 'ca.example')] } } },
      fails: 1,
    },
    { name: 'an unknown tag', given: { dns: { caa: { records: [record('tbs', 'x')] } } }, fails: 0 },
    {
      name: 'names, parameters and nobody',
      given: {
        dns: {
          caa: {
            records: [
              record('issue', 'ca.example; accounturi=https://ca.example/acct/1'),
              record('issuewild', ';', 128),
              record('ISSUE', ' ca.example '),
              record('iodef', 'mailto:security@site.example'),
            ],
          },
        },
      },
      fails: 0,
    },
  ],
});
