import { definePassiveCheck } from '../../check.ts';
import { spfLimits } from '../../evidence/dns/spf.ts';

export default definePassiveCheck({
  id: 'spf-lookups-over-10',
  group: 'email',
  severity: 'MEDIUM',
  cwe: 290,
  title: 'The SPF record asks for more than receivers look up',
  why: 'After ten look-ups, or more than two that find nothing, receivers give up: the record then counts as broken, for forged mail and for yours.',
  fix: 'Remove include terms of services you no longer use and names that are gone; write networks in place of names.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-4.6.4'],
  needs: ['spf'],

  *run({ spf }) {
    if (spf?.records.length !== 1) return;
    if (spf.lookUps > spfLimits.lookUps)
      yield { evidence: `More than ${spfLimits.lookUps} look-ups: ${spf.records[0]}` };
    else if (spf.voids > spfLimits.voids) {
      yield { evidence: `${spf.voids} look-ups that find nothing: ${spf.records[0]}` };
    }
  },

  examples: [
    { name: 'eleven look-ups', given: { dns: { spf: { lookUps: 11 } } }, fails: 1 },
    { name: 'three that find nothing', given: { dns: { spf: { lookUps: 3, voids: 3 } } }, fails: 1 },
    { name: 'ten, two of which find nothing', given: { dns: { spf: { lookUps: 10, voids: 2 } } }, fails: 0 },
    { name: 'a site without a name', given: { dns: null }, fails: 0 },
  ],
});
