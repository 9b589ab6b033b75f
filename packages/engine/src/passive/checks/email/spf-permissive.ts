import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'spf-permissive',
  group: 'email',
  severity: 'LOW',
  cwe: 290,
  title: 'SPF record allows any sender (+all, ?all or no all)',
  why: 'The SPF record does not exclude other senders: it ends with +all or ?all, or has no all mechanism. With +all, spoofed mail of any attacker passes SPF; with the others SPF returns neutral and gives receivers no reason to reject it. The evidence quotes the record.',
  fix: 'End the record with -all, or with ~all until every legitimate sender is listed. The aggregate reports of DMARC show which senders are missing.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-5.1', 'https://cwe.mitre.org/data/definitions/290.html'],
  needs: ['spf'],

  *run({ spf }) {
    if (spf?.records.length !== 1) return;
    const [evidence = ''] = spf.records;
    if (spf.all === '+') yield { evidence, severity: 'HIGH' };
    // An include or redirect that could not be resolved may contain an all mechanism.
    else if (spf.all === '?' || (spf.all === null && spf.isWhole && spf.lookUps <= 10)) yield { evidence };
  },

  examples: [
    { name: '+all', given: { dns: { spf: { records: ['v=spf1 +all'], all: '+' } } }, fails: 1, severity: 'HIGH' },
    { name: '?all', given: { dns: { spf: { records: ['v=spf1 mx ?all'], all: '?' } } }, fails: 1 },
    { name: 'no all mechanism', given: { dns: { spf: { records: ['v=spf1 mx'], all: null } } }, fails: 1 },
    {
      name: 'redirect that could not be resolved',
      given: { dns: { spf: { records: ['v=spf1 redirect=a.example'], all: null, isWhole: false } } },
      fails: 0,
    },
    { name: '~all', given: { dns: { spf: { records: ['v=spf1 mx ~all'], all: '~' } } }, fails: 0 },
    { name: '-all', given: {}, fails: 0 },
    { name: 'no record (spf-missing)', given: { dns: { spf: { records: [], all: null } } }, fails: 0 },
  ],
});
