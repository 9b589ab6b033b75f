import { httpsUrl } from '../../../evidence/tls/https.ts';
import { daysAfter } from '../../../evidence/tls/sample.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-expired',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 298,
  title: 'TLS certificate expired',
  why: 'The validity period of the certificate has ended. Browsers block the site with a warning, and API clients refuse to connect. Users who click through the warning cannot detect a man-in-the-middle attack.',
  fix: 'Renew the certificate and reload the server. Automate both with an ACME client and monitor the expiry date.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5',
    'https://letsencrypt.org/docs/',
    'https://cwe.mitre.org/data/definitions/298.html',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https || Date.parse(https.gatheredAt) <= Date.parse(https.certificate.validTo)) return;
    yield {
      evidence: `${https.certificate.subject} was valid until ${https.certificate.validTo}`,
      url: httpsUrl(https),
    };
  },

  examples: [
    { name: 'expired yesterday', given: { https: { certificate: { validTo: daysAfter(-1) } } }, fails: 1 },
    { name: 'expires at this moment', given: { https: { certificate: { validTo: daysAfter(0) } } }, fails: 0 },
    { name: 'valid certificate', given: {}, fails: 0 },
    { name: 'site over HTTP', given: { url: 'http://site.example:8080/' }, fails: 0 },
  ],
});
