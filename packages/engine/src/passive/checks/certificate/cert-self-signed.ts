import { httpsUrl, isSelfSigned } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-self-signed',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 295,
  title: 'Self-signed TLS certificate',
  why: 'The certificate is signed with its own key and not by a CA that browsers trust. An attacker can create one for any host name, so it does not prove the identity of the site. Browsers block the site with a warning, and users who click through it cannot detect a man-in-the-middle attack.',
  fix: 'Obtain a certificate from a public CA; ACME CAs such as Let’s Encrypt issue them free of charge. For internal sites, use a private CA that the clients trust.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html#use-an-appropriate-certification-authority-for-the-applications-user-base',
    'https://letsencrypt.org/docs/',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https || https.untrusted === null || !isSelfSigned(https)) return;
    yield { evidence: `${https.certificate.subject}: self-signed (${https.untrusted})`, url: httpsUrl(https) };
  },

  examples: [
    {
      name: 'self-signed certificate',
      given: { https: { untrusted: 'DEPTH_ZERO_SELF_SIGNED_CERT', certificate: { isSelfSigned: true }, issuers: [] } },
      fails: 1,
    },
    {
      name: 'self-signed, in the trust store of this machine',
      given: { https: { certificate: { isSelfSigned: true }, issuers: [] } },
      fails: 0,
    },
    {
      name: 'private root, judged by another check',
      given: { https: { untrusted: 'SELF_SIGNED_CERT_IN_CHAIN' } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
