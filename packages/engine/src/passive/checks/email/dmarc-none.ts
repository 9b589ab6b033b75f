import { policiesOf } from '../../../evidence/dns/dmarc.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const says = (record: string) => ({ dns: { dmarc: { records: [record] } } });

export default definePassiveCheck({
  id: 'dmarc-none',
  group: 'email',
  severity: 'LOW',
  cwe: 290,
  title: 'DMARC policy does not reject or quarantine (p=none)',
  why: 'The DMARC policy is p=none, or sp=none for subdomains: receivers report mail that fails authentication but deliver it. An attacker can send spoofed mail from the domain to customers and staff. The evidence quotes the record.',
  fix: 'Once the aggregate reports list only legitimate senders, set p=quarantine and then p=reject. Leave out sp, or set it to the same policy.',
  references: ['https://www.rfc-editor.org/rfc/rfc9989', 'https://cwe.mitre.org/data/definitions/290.html'],
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
    { name: 'quarantine in test mode', given: says('v=DMARC1; p=quarantine; t=y'), fails: 1 },
    { name: 'p=reject', given: says('v=DMARC1;p=reject'), fails: 0 },
    { name: 'p=quarantine with whitespace and capitals', given: says('v = DMARC1 ; P = Quarantine ;'), fails: 0 },
    {
      name: 'no record (dmarc-missing)',
      given: { dns: { dmarc: { foundAt: null, records: [] } } },
      fails: 0,
    },
  ],
});
