import { problemsOf } from '../../../evidence/dns/dmarc.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

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
  title: 'DMARC record malformed',
  why: 'The DMARC record of this domain has errors. Receivers ignore a record or tag that they cannot parse, so spoofed mail may be delivered as if there were no policy, and aggregate reports may never arrive. The evidence quotes the record and lists each error.',
  fix: 'Publish exactly one TXT record at _dmarc with p=none, quarantine or reject, and mailto: URIs in rua and ruf. A receiver of reports in another domain must authorize them with a TXT record at <your-domain>._report._dmarc.<their-domain>.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc9989',
    'https://www.rfc-editor.org/rfc/rfc7489#section-7.1',
    'https://cwe.mitre.org/data/definitions/290.html',
  ],
  needs: ['dmarc'],

  *run({ dmarc }) {
    const problems = dmarc ? problemsOf(dmarc) : [];
    // Receivers ignore the policy if there is more than one record.
    const severity = dmarc && dmarc.records.length > 1 ? 'MEDIUM' : 'LOW';
    if (problems.length > 0) yield { evidence: [...(dmarc?.records ?? []), ...problems].join('\n'), severity };
  },

  examples: [
    { name: 'unknown policy', given: says('v=DMARC1; p=block'), fails: 1 },
    { name: 'no policy', given: says('v=DMARC1; rua=mailto:a@site.example'), fails: 1 },
    { name: 'address without mailto:', given: says('v=DMARC1; p=reject; rua=a@site.example'), fails: 1 },
    { name: 'tag without a value', given: says('v=DMARC1; p=reject; quarantine'), fails: 1 },
    { name: 'external report receiver without authorization', given: reportsTo(false), fails: 1 },
    {
      name: 'two records',
      given: { dns: { dmarc: { records: ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] } } },
      fails: 1,
      severity: 'MEDIUM',
    },
    { name: 'external report receiver with authorization', given: reportsTo(true), fails: 0 },
    { name: 'external report receiver with failed lookup', given: reportsTo(null), fails: 0 },
    {
      name: 'all tags',
      given: says(
        'v=DMARC1; p=reject; sp=none; np=reject; adkim=s; rua=mailto:a@site.example!10m,mailto:b@x.site.example;',
      ),
      fails: 0,
    },
    {
      name: 'record of the registry (public suffix)',
      given: { dns: { dmarc: { foundAt: 'example', records: ['v=DMARC1; psd=y'] } } },
      fails: 0,
    },
  ],
});
