import { definePassiveCheck } from '../../define-passive-check.ts';

const two = { records: ['v=spf1 mx -all', 'v=spf1 include:a.example -all'], all: null };

export default definePassiveCheck({
  id: 'spf-multiple',
  group: 'email',
  severity: 'MEDIUM',
  cwe: 290,
  title: 'Multiple SPF records',
  why: 'The domain publishes more than one SPF record. Receivers must return permerror and use none of them, so an attacker can spoof the domain as if it had no SPF. The evidence quotes the records.',
  fix: 'Merge the mechanisms of all records into one TXT record that starts with v=spf1. Delete the other records.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-4.5', 'https://cwe.mitre.org/data/definitions/290.html'],
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
