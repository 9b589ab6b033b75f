import { spfLimits } from '../../../evidence/dns/spf.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'spf-lookups-over-10',
  group: 'email',
  severity: 'MEDIUM',
  cwe: 290,
  title: 'SPF record exceeds the DNS lookup limit',
  why: 'Evaluating the SPF record takes more than ten DNS lookups, or more than two lookups without a result. Receivers must stop there and return permerror, so spoofed mail is no longer told apart from yours and legitimate mail can be rejected. The evidence shows the record and the limit it exceeds.',
  fix: 'Remove include and mx mechanisms of services you no longer use and hostnames that no longer exist. Replace others with ip4 and ip6 ranges.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc7208#section-4.6.4',
    'https://cwe.mitre.org/data/definitions/290.html',
  ],
  needs: ['spf'],

  *run({ spf }) {
    if (spf?.records.length !== 1) return;
    if (spf.lookUps > spfLimits.lookUps)
      yield { evidence: `More than ${spfLimits.lookUps} DNS lookups: ${spf.records[0]}` };
    else if (spf.voids > spfLimits.voids) {
      yield { evidence: `${spf.voids} void lookups: ${spf.records[0]}` };
    }
  },

  examples: [
    { name: 'eleven lookups', given: { dns: { spf: { lookUps: 11 } } }, fails: 1 },
    { name: 'three void lookups', given: { dns: { spf: { lookUps: 3, voids: 3 } } }, fails: 1 },
    { name: 'ten lookups, two of them void', given: { dns: { spf: { lookUps: 10, voids: 2 } } }, fails: 0 },
    { name: 'target without a hostname', given: { dns: null }, fails: 0 },
  ],
});
