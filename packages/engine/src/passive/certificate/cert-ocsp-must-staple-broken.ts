import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-ocsp-must-staple-broken',
  group: 'certificate',
  severity: 'HIGH',
  cwe: 299,
  title: 'The certificate demands a stapled answer that the server does not send',
  why: 'Browsers that honour the demand refuse to connect.',
  fix: 'Switch stapling on (ssl_stapling on; in nginx, SSLUseStapling on in Apache), or get a certificate without must-staple.',
  references: ['https://www.rfc-editor.org/rfc/rfc7633'],
  needs: ['session'],

  *run({ session }) {
    if (!session?.certificate.mustStaple || session.staple !== null) return;
    yield { evidence: `${session.certificate.subject} has must-staple; no OCSP response came`, url: httpsUrl(session) };
  },

  examples: [
    { name: 'must-staple without an answer', given: { https: { certificate: { mustStaple: true } } }, fails: 1 },
    {
      name: 'must-staple with an answer',
      given: { https: { staple: 'GOOD', certificate: { mustStaple: true } } },
      fails: 0,
    },
    {
      name: 'no answer where none is demanded',
      given: { https: { certificate: { ocspUrls: ['http://ocsp.example/'] } } },
      fails: 0,
    },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
