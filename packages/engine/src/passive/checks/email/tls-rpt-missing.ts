import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-rpt-missing',
  group: 'email',
  severity: 'INFO',
  cwe: null,
  title: 'SMTP TLS reporting (TLS-RPT) not configured',
  why: 'The domain has no TLS-RPT record, so sending servers have nowhere to report failed TLS connections. A misconfigured certificate or an attacker who strips STARTTLS stays unnoticed. We found no TXT record at _smtp._tls.',
  fix: 'Publish a TXT record at _smtp._tls: v=TLSRPTv1; rua=mailto:tls-reports@your-domain. Enable it together with MTA-STS or DANE, whose failures it reports.',
  references: ['https://www.rfc-editor.org/rfc/rfc8460'],
  needs: ['tlsReporting'],

  *run({ tlsReporting }) {
    if (tlsReporting?.records.length === 0) yield { evidence: `No TLS-RPT record at ${tlsReporting.name}` };
  },

  examples: [
    { name: 'no record', given: { dns: { tlsReporting: { records: [] } } }, fails: 1 },
    { name: 'valid record', given: {}, fails: 0 },
    { name: 'domain without mail', given: { dns: { tlsReporting: null } }, fails: 0 },
  ],
});
