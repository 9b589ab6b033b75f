import { policiesOf } from '../../../evidence/dns/dmarc.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const soft = { records: ['v=spf1 mx ~all'], all: '~' } as const;

export default definePassiveCheck({
  id: 'spf-softfail',
  group: 'email',
  severity: 'INFO',
  cwe: 290,
  title: 'SPF softfail (~all) without an enforced DMARC policy',
  why: 'The SPF record ends with ~all and no DMARC policy of quarantine or reject backs it up. Most receivers deliver mail that only softfails, so an attacker can spoof the domain. The evidence quotes the record.',
  fix: 'Set a DMARC policy of p=quarantine or p=reject, or end the SPF record with -all. Before that, use the DMARC aggregate reports to make sure that all legitimate senders pass.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc7208#section-8.5',
    'https://www.rfc-editor.org/rfc/rfc9989',
    'https://cwe.mitre.org/data/definitions/290.html',
  ],
  needs: ['spf', 'dmarc'],

  *run({ spf, dmarc }) {
    if (spf?.all !== '~') return;
    const policy = dmarc && policiesOf(dmarc)?.own;
    if (policy !== 'reject' && policy !== 'quarantine') yield { evidence: spf.records.join('\n') };
  },

  examples: [
    { name: '~all without DMARC', given: { dns: { spf: soft, dmarc: { foundAt: null, records: [] } } }, fails: 1 },
    {
      name: '~all with p=none',
      given: { dns: { spf: soft, dmarc: { records: ['v=DMARC1; p=none'] } } },
      fails: 1,
    },
    { name: '~all with p=reject', given: { dns: { spf: soft } }, fails: 0 },
    { name: '-all', given: { dns: { dmarc: { foundAt: null, records: [] } } }, fails: 0 },
  ],
});
