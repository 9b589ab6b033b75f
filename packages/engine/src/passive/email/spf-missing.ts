import { definePassiveCheck } from '../../check.ts';
import { policiesOf } from '../../evidence/dns/dmarc.ts';

const without = { records: [], all: null, lookUps: 0 };

export default definePassiveCheck({
  id: 'spf-missing',
  group: 'email',
  severity: 'MEDIUM',
  cwe: 290,
  title: 'Nothing says who may send mail in the name of the domain',
  why: 'Receivers cannot tell forged mail from yours: anybody can write to your customers as you.',
  fix: 'Add a TXT record that names your mail servers and ends with -all; for a domain without mail it is: v=spf1 -all.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208'],
  needs: ['spf', 'dmarc', 'mail'],

  *run({ spf, dmarc, mail }) {
    if (!spf || spf.records.length > 0) return;
    const isMuted = mail?.isNone && dmarc && policiesOf(dmarc)?.own === 'reject';
    yield { evidence: `No TXT record of ${spf.domain} begins with v=spf1`, severity: isMuted ? 'LOW' : 'MEDIUM' };
  },

  examples: [
    { name: 'no record', given: { dns: { spf: without } }, fails: 1 },
    {
      name: 'a domain that takes no mail, and whose mail is refused anyway',
      given: { dns: { spf: without, mail: { exchanges: [], isNone: true } } },
      fails: 1,
      severity: 'LOW',
    },
    {
      name: 'a domain that takes no mail',
      given: {
        dns: { spf: without, mail: { exchanges: [], isNone: true }, dmarc: { records: ['v=DMARC1; p=none'] } },
      },
      fails: 1,
    },
    { name: 'a record', given: {}, fails: 0 },
    { name: 'a site without a name', given: { dns: null }, fails: 0 },
  ],
});
