import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-rpt-missing',
  group: 'email',
  severity: 'INFO',
  cwe: null,
  title: 'Nobody is told when mail cannot be encrypted',
  why: 'Failed encryption between mail servers is seen by the sender only: without reports you do not learn of it.',
  fix: 'Add a TXT record at _smtp._tls: v=TLSRPTv1; rua=mailto:….',
  references: ['https://www.rfc-editor.org/rfc/rfc8460'],
  needs: ['tlsReporting'],

  *run({ tlsReporting }) {
    if (tlsReporting?.records.length === 0) yield { evidence: `No TXT record at ${tlsReporting.name}` };
  },

  examples: [
    { name: 'no record', given: { dns: { tlsReporting: { records: [] } } }, fails: 1 },
    { name: 'a record', given: {}, fails: 0 },
    { name: 'a domain without mail', given: { dns: { tlsReporting: null } }, fails: 0 },
  ],
});
