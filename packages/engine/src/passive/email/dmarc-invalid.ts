import { definePassiveCheck } from '../../check.ts';
import { problemsOf } from '../../evidence/dns/dmarc.ts';

const says = (record: string) => ({ dns: { dmarc: { records: [record] } } });
const reportsTo = (isWilling: boolean | null) => ({
  dns: {
    dmarc: {
      records: ['v=DMARC1; p=reject; rua=mailto:a@reports.example'],
      receivers: [{ domain: 'reports.example', isWilling }],
    },
  },
});

export default definePassiveCheck({
  id: 'dmarc-invalid',
  group: 'email',
  severity: 'LOW',
  cwe: 290,
  title: 'The DMARC record is not as it should be',
  why: 'What receivers do not understand they leave out: the policy may not count, and reports may not arrive.',
  fix: 'Have one record at _dmarc, with p=none, quarantine or reject, and mailto: addresses; whoever takes reports for you in another domain has to say so there.',
  references: ['https://www.rfc-editor.org/rfc/rfc9989', 'https://www.rfc-editor.org/rfc/rfc7489#section-7.1'],
  needs: ['dmarc'],

  *run({ dmarc }) {
    const problems = dmarc ? problemsOf(dmarc) : [];
    // Two records are as good as none.
    const severity = dmarc && dmarc.records.length > 1 ? 'MEDIUM' : 'LOW';
    if (problems.length > 0) yield { evidence: [...(dmarc?.records ?? []), ...problems].join('\n'), severity };
  },

  examples: [
    { name: 'a policy that nobody knows', given: says('v=DMARC1; p=block'), fails: 1 },
    { name: 'no policy', given: says('v=DMARC1; rua=mailto:a@site.example'), fails: 1 },
    { name: 'an address without mailto:', given: says('v=DMARC1; p=reject; rua=a@site.example'), fails: 1 },
    { name: 'a word alone', given: says('v=DMARC1; p=reject; quarantine'), fails: 1 },
    { name: 'reports to somebody who does not want them', given: reportsTo(false), fails: 1 },
    {
      name: 'two records',
      given: { dns: { dmarc: { records: ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] } } },
      fails: 1,
      severity: 'MEDIUM',
    },
    { name: 'reports to somebody who wants them', given: reportsTo(true), fails: 0 },
    { name: 'reports to somebody of whom nothing is known', given: reportsTo(null), fails: 0 },
    {
      name: 'all kinds of tags',
      given: says(
        'v=DMARC1; p=reject; sp=none; np=reject; adkim=s; rua=mailto:a@site.example!10m,mailto:b@x.site.example;',
      ),
      fails: 0,
    },
    {
      name: 'a record of the registry',
      given: { dns: { dmarc: { foundAt: 'example', records: ['v=DMARC1; psd=y'] } } },
      fails: 0,
    },
  ],
});
