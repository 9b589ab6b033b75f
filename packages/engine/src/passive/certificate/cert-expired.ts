import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';
import { daysAfter } from '../../evidence/tls/sample.ts';

export default definePassiveCheck({
  id: 'cert-expired',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 298,
  title: 'The certificate has expired',
  why: 'Browsers stop every visitor with a warning, and those who click it away can no longer tell this site from an impostor.',
  fix: 'Renew the certificate and reload the server; let an ACME client do both from now on, and watch that it does.',
  references: ['https://www.rfc-editor.org/rfc/rfc5280', 'https://letsencrypt.org/docs/'],
  needs: ['https'],

  *run({ https }) {
    if (!https || Date.parse(https.gatheredAt) <= Date.parse(https.certificate.validTo)) return;
    yield {
      evidence: `${https.certificate.subject} was valid until ${https.certificate.validTo}`,
      url: httpsUrl(https),
    };
  },

  examples: [
    { name: 'since yesterday', given: { https: { certificate: { validTo: daysAfter(-1) } } }, fails: 1 },
    { name: 'to this very moment', given: { https: { certificate: { validTo: daysAfter(0) } } }, fails: 0 },
    { name: 'a good certificate', given: {}, fails: 0 },
    { name: 'a site on plain http', given: { url: 'http://site.example:8080/' }, fails: 0 },
  ],
});
