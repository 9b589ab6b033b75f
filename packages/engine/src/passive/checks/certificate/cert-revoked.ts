import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-revoked',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 299,
  title: 'TLS certificate is revoked',
  why: 'The stapled OCSP response states that the CA has revoked the certificate, often because its private key was compromised. An attacker with that key can impersonate the site. Clients that check revocation refuse to connect.',
  fix: 'Generate a new key and request a new certificate for it. Ask the CA for the reason of the revocation and investigate a possible key compromise.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc6960',
    'https://cwe.mitre.org/data/definitions/299.html',
  ],
  needs: ['session'],

  *run({ session }) {
    if (session?.staple !== 'REVOKED') return;
    yield {
      evidence: `The stapled OCSP response says that ${session.certificate.subject} is revoked`,
      url: httpsUrl(session),
    };
  },

  examples: [
    { name: 'stapled response: revoked', given: { https: { staple: 'REVOKED' } }, fails: 1 },
    { name: 'stapled response: good', given: { https: { staple: 'GOOD' } }, fails: 0 },
    { name: 'stapled response: unknown', given: { https: { staple: 'UNKNOWN' } }, fails: 0 },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
