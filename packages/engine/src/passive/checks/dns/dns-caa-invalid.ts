import { describeCaa, problemOf } from '../../../evidence/dns/caa.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const record = (tag: string, value: string, flags = 0) => ({ flags, tag, value });

export default definePassiveCheck({
  id: 'dns-caa-invalid',
  group: 'dns',
  severity: 'LOW',
  cwe: 295,
  title: 'CAA record malformed',
  why: 'A CAA record of this domain does not follow RFC 8659. Certificate authorities refuse to issue when a malformed record carries the critical flag and ignore it otherwise. The next certificate can be refused, or an attacker can obtain one from an authority that the record was meant to exclude. The evidence shows the record and the rule it breaks.',
  fix: 'Use only the tags issue and issuewild with the domain of the CA, such as 0 issue "letsencrypt.org", and iodef with a mailto: or https: URL. Check the published records with dig CAA your-domain.',
  references: ['https://www.rfc-editor.org/rfc/rfc8659#section-4', 'https://cwe.mitre.org/data/definitions/295.html'],
  needs: ['caa'],

  *run({ caa }) {
    for (const one of caa?.records ?? []) {
      const problem = problemOf(one);
      if (problem) yield { evidence: `CAA ${caa?.foundAt}: ${describeCaa(one)}: ${problem}` };
    }
  },

  examples: [
    {
      name: 'unknown tag with the critical flag',
      given: { dns: { caa: { records: [record('tbs', 'x', 128)] } } },
      fails: 1,
    },
    {
      name: 'URL instead of an issuer domain',
      given: { dns: { caa: { records: [record('issue', 'https://ca.example')] } } },
      fails: 1,
    },
    {
      name: 'iodef address without mailto:',
      given: { dns: { caa: { records: [record('iodef', 'a@b.example')] } } },
      fails: 1,
    },
    {
      name: 'tag with invalid characters',
      given: { dns: { caa: { records: [record('issue ', 'ca.example')] } } },
      fails: 1,
    },
    {
      name: 'unknown tag without the critical flag',
      given: { dns: { caa: { records: [record('tbs', 'x')] } } },
      fails: 0,
    },
    {
      name: 'issuer domains, parameters and an empty issuer',
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
