import { definePassiveCheck } from '../../check.ts';
import { policiesOf } from '../../evidence/dns/dmarc.ts';

const soft = { records: ['v=spf1 mx ~all'], all: '~' } as const;

export default definePassiveCheck({
  id: 'spf-softfail',
  group: 'email',
  severity: 'INFO',
  cwe: 290,
  title: 'The SPF record only hints that mail is forged',
  why: 'With ~all, and without a DMARC policy that refuses, most receivers deliver mail from servers that are not named.',
  fix: 'Set a DMARC policy of quarantine or reject, or end the record with -all.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-8.5'],
  needs: ['spf', 'dmarc'],

  *run({ spf, dmarc }) {
    if (spf?.all !== '~') return;
    const policy = dmarc && policiesOf(dmarc)?.own;
    if (policy !== 'reject' && policy !== 'quarantine') yield { evidence: spf.records.join('\n') };
  },

  examples: [
    { name: '~all alone', given: { dns: { spf: soft, dmarc: { foundAt: null, records: [] } } }, fails: 1 },
    {
      name: '~all with a policy that does nothing',
      given: { dns: { spf: soft, dmarc: { records: ['v=DMARC1; p=none'] } } },
      fails: 1,
    },
    { name: '~all with a policy that refuses', given: { dns: { spf: soft } }, fails: 0 },
    { name: '-all', given: { dns: { dmarc: { foundAt: null, records: [] } } }, fails: 0 },
  ],
});
