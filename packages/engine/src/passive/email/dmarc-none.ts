import { definePassiveCheck } from '../../check.ts';
import { policiesOf } from '../../evidence/dns/dmarc.ts';

const says = (record: string) => ({ dns: { dmarc: { records: [record] } } });

export default definePassiveCheck({
  id: 'dmarc-none',
  group: 'email',
  severity: 'LOW',
  cwe: 290,
  title: 'The DMARC policy lets forged mail through',
  why: 'With p=none, or sp=none for the names below, receivers only report what they see.',
  fix: 'Once the reports show only servers of yours, set p=quarantine and then p=reject, and no milder sp.',
  references: ['https://www.rfc-editor.org/rfc/rfc9989'],
  needs: ['dmarc'],

  *run({ dmarc }) {
    const policies = dmarc && policiesOf(dmarc);
    if (policies && (policies.own === 'none' || policies.below === 'none')) {
      yield { evidence: `_dmarc.${dmarc.foundAt}: ${dmarc.records[0]}` };
    }
  },

  examples: [
    { name: 'p=none', given: says('v=DMARC1; p=none; rua=mailto:a@site.example'), fails: 1 },
    { name: 'sp=none', given: says('v=DMARC1; p=reject; sp=none'), fails: 1 },
    { name: 'no policy', given: says('v=DMARC1; rua=mailto:a@site.example'), fails: 1 },
    { name: 'quarantine that is only tried out', given: says('v=DMARC1; p=quarantine; t=y'), fails: 1 },
    { name: 'p=reject', given: says('v=DMARC1;p=reject'), fails: 0 },
    { name: 'p=quarantine, written otherwise', given: says('v = DMARC1 ; P = Quarantine ;'), fails: 0 },
    {
      name: 'no record, which is another finding',
      given: { dns: { dmarc: { foundAt: null, records: [] } } },
      fails: 0,
    },
  ],
});
