import { policiesOf } from '../../../evidence/dns/dmarc.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const without = { records: [], all: null, lookUps: 0 };

export default definePassiveCheck({
  id: 'spf-missing',
  group: 'email',
  severity: 'MEDIUM',
  cwe: 290,
  title: 'SPF record missing',
  why: 'The domain has no SPF record, so receivers cannot tell which servers may send its mail. An attacker can spoof the domain as envelope sender and send phishing mail in its name. No TXT record of the domain starts with v=spf1.',
  fix: 'Publish a TXT record that lists your mail servers and ends with -all, such as v=spf1 mx include:… -all. For a domain that sends no mail: v=spf1 -all.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208', 'https://cwe.mitre.org/data/definitions/290.html'],
  needs: ['spf', 'dmarc', 'mail'],

  *run({ spf, dmarc, mail }) {
    if (!spf || spf.records.length > 0) return;
    const isMuted = mail?.isNone && dmarc && policiesOf(dmarc)?.own === 'reject';
    yield { evidence: `No TXT record of ${spf.domain} starts with v=spf1`, severity: isMuted ? 'LOW' : 'MEDIUM' };
  },

  examples: [
    { name: 'no record', given: { dns: { spf: without } }, fails: 1 },
    {
      name: 'null MX and DMARC p=reject',
      given: { dns: { spf: without, mail: { exchanges: [], isNone: true } } },
      fails: 1,
      severity: 'LOW',
    },
    {
      name: 'null MX without an enforced DMARC policy',
      given: {
        dns: { spf: without, mail: { exchanges: [], isNone: true }, dmarc: { records: ['v=DMARC1; p=none'] } },
      },
      fails: 1,
    },
    { name: 'valid record', given: {}, fails: 0 },
    { name: 'target without a hostname', given: { dns: null }, fails: 0 },
  ],
});
