import { httpsUrl } from '../../../evidence/tls/https.ts';
import { daysAfter } from '../../../evidence/tls/sample.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const SKEW_MS = 5 * 60_000;

export default definePassiveCheck({
  id: 'cert-not-yet-valid',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 298,
  title: 'TLS certificate is not yet valid',
  why: 'The validity period of the certificate begins in the future. Browsers block the site with a warning until then, and API clients refuse to connect. Users who click through the warning cannot detect a man-in-the-middle attack.',
  fix: 'Install a certificate that is valid now. Check the system clock of the server that issued or requested this one.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5',
    'https://cwe.mitre.org/data/definitions/298.html',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https || Date.parse(https.gatheredAt) + SKEW_MS >= Date.parse(https.certificate.validFrom)) return;
    yield {
      evidence: `${https.certificate.subject} is valid from ${https.certificate.validFrom}`,
      url: httpsUrl(https),
    };
  },

  examples: [
    { name: 'valid from tomorrow', given: { https: { certificate: { validFrom: daysAfter(1) } } }, fails: 1 },
    {
      name: 'valid in four minutes (clock skew)',
      given: { https: { certificate: { validFrom: daysAfter(4 / 1_440) } } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
