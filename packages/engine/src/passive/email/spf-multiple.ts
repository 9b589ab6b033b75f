import { definePassiveCheck } from '../../check.ts';

const two = { records: ['v=spf1 mx -all', 'v=spf1 include:a.example -all'], all: null };

export default definePassiveCheck({
  id: 'spf-multiple',
  group: 'email',
  severity: 'MEDIUM',
  cwe: 290,
  title: 'There is more than one SPF record',
  why: 'Receivers do not choose: with two records none of them counts.',
  fix: 'Put the terms of all of them into one record.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-4.5'],
  needs: ['spf'],

  *run({ spf }) {
    if (spf && spf.records.length > 1) yield { evidence: spf.records.join('\n') };
  },

  examples: [
    { name: 'two records', given: { dns: { spf: two } }, fails: 1 },
    { name: 'one record', given: {}, fails: 0 },
    { name: 'none', given: { dns: { spf: { records: [] } } }, fails: 0 },
  ],
});
