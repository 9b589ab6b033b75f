import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-sct-absent',
  group: 'certificate',
  severity: 'MEDIUM',
  cwe: 295,
  title: 'TLS certificate without Certificate Transparency (SCT)',
  why: 'The server presents fewer than two signed certificate timestamps (SCT), so the certificate is not provably in the public Certificate Transparency logs. Chrome and Safari reject such certificates of public CAs. Certificates that are not logged can be issued to an attacker without the owner noticing.',
  fix: 'Request a new certificate: public CAs log it and embed the timestamps by default. Ask the CA if logging was disabled for this certificate.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc6962',
    'https://googlechrome.github.io/CertificateTransparency/ct_policy.html',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  needs: ['session', 'tls'],

  *run({ session, tls }) {
    // Private CAs do not log certificates, and clients do not expect it.
    if (!session || session.untrusted !== null || session.staple !== null) return;
    const count = session.certificate.timestamps + (tls?.oldHello?.timestamps ?? 0);
    if (count >= 2) return;
    // With TLS 1.3 only, SCTs in the TLS extension are encrypted and not observable.
    const confidence = session.isChainAsSent ? 'FIRM' : 'TENTATIVE';
    yield { evidence: `${count} signed certificate timestamps (SCT)`, url: httpsUrl(session), confidence };
  },

  examples: [
    { name: 'no SCT', given: { https: { certificate: { timestamps: 0 } } }, fails: 1 },
    { name: 'one SCT', given: { https: { certificate: { timestamps: 1 } } }, fails: 1 },
    {
      name: 'two SCTs in the TLS extension',
      given: { https: { certificate: { timestamps: 0 } }, tls: { tls12: { suite: 0xc02f, timestamps: 2 } } },
      fails: 0,
    },
    {
      name: 'stapled OCSP response, which may carry SCTs',
      given: { https: { staple: 'GOOD', certificate: { timestamps: 0 } } },
      fails: 0,
    },
    {
      name: 'private CA',
      given: { https: { untrusted: 'SELF_SIGNED_CERT_IN_CHAIN', certificate: { timestamps: 0 } } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
