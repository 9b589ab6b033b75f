import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-ocsp-must-staple-broken',
  group: 'certificate',
  severity: 'HIGH',
  cwe: 299,
  title: 'OCSP must-staple certificate without stapled response',
  why: 'The certificate has the must-staple extension, but the server staples no OCSP response. Clients that enforce the extension, such as Firefox, refuse to connect. The evidence names the certificate.',
  fix: 'Enable OCSP stapling: ssl_stapling on in nginx, SSLUseStapling on in Apache. Otherwise request a certificate without must-staple.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc7633',
    'https://www.rfc-editor.org/rfc/rfc6066#section-8',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://cwe.mitre.org/data/definitions/299.html',
  ],
  needs: ['session'],

  *run({ session }) {
    if (!session?.certificate.mustStaple || session.staple !== null) return;
    yield {
      evidence: `${session.certificate.subject} has must-staple; no stapled OCSP response received`,
      url: httpsUrl(session),
    };
  },

  examples: [
    {
      name: 'must-staple without a stapled response',
      given: { https: { certificate: { mustStaple: true } } },
      fails: 1,
    },
    {
      name: 'must-staple with a stapled response',
      given: { https: { staple: 'GOOD', certificate: { mustStaple: true } } },
      fails: 0,
    },
    {
      name: 'no stapled response and no must-staple',
      given: { https: { certificate: { ocspUrls: ['http://ocsp.example/'] } } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
