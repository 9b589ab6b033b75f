import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-sct-absent',
  group: 'certificate',
  severity: 'MEDIUM',
  cwe: 295,
  title: 'The certificate is not in the public logs',
  why: 'Chrome and Safari refuse public certificates that were not logged; and what is not logged can be issued behind the back of the owner.',
  fix: 'Get the certificate issued again: every public authority logs and embeds two timestamps unless told not to.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc6962',
    'https://googlechrome.github.io/CertificateTransparency/ct_policy.html',
  ],
  needs: ['session', 'tls'],

  *run({ session, tls }) {
    // Private authorities do not log, and need not.
    if (!session || session.untrusted !== null || session.staple !== null) return;
    const count = session.certificate.timestamps + (tls?.oldHello?.timestamps ?? 0);
    if (count >= 2) return;
    // With TLS 1.3 alone they may come where they cannot be seen.
    const confidence = session.isChainAsSent ? 'FIRM' : 'TENTATIVE';
    yield { evidence: `${count} signed certificate timestamps`, url: httpsUrl(session), confidence };
  },

  examples: [
    { name: 'none', given: { https: { certificate: { timestamps: 0 } } }, fails: 1 },
    { name: 'one', given: { https: { certificate: { timestamps: 1 } } }, fails: 1 },
    {
      name: 'two beside the certificate',
      given: { https: { certificate: { timestamps: 0 } }, tls: { tls12: { suite: 0xc02f, timestamps: 2 } } },
      fails: 0,
    },
    {
      name: 'a stapled answer that may carry them',
      given: { https: { staple: 'GOOD', certificate: { timestamps: 0 } } },
      fails: 0,
    },
    {
      name: 'a private authority',
      given: { https: { untrusted: 'SELF_SIGNED_CERT_IN_CHAIN', certificate: { timestamps: 0 } } },
      fails: 0,
    },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
