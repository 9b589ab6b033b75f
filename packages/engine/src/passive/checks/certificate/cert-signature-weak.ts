import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-signature-weak',
  group: 'certificate',
  severity: 'HIGH',
  cwe: 328,
  title: 'TLS certificate signed with MD5 or SHA-1',
  why: 'A certificate of the chain is signed with MD5 or SHA-1, for which collisions can be computed. An attacker may obtain a certificate with the same signature for another name and impersonate the site. Browsers reject both algorithms.',
  fix: 'Request a new certificate that is signed with SHA-256. Install the current intermediate certificates of the CA with it.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html#use-strong-cryptographic-hashing-algorithms',
    'https://shattered.io/',
    'https://cabforum.org/working-groups/server/baseline-requirements/',
    'https://cwe.mitre.org/data/definitions/328.html',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https) return;
    // Clients trust a root by its key and do not verify its signature.
    for (const { subject, signature } of https.chain.filter(({ isSelfSigned }) => !isSelfSigned)) {
      if (/md[25]/i.test(signature))
        yield { evidence: `${subject}: ${signature}`, url: httpsUrl(https), severity: 'CRITICAL' };
      else if (/sha-?1(?!\d)/i.test(signature)) yield { evidence: `${subject}: ${signature}`, url: httpsUrl(https) };
    }
  },

  examples: [
    { name: 'SHA-1 with RSA', given: { https: { certificate: { signature: 'sha1WithRSAEncryption' } } }, fails: 1 },
    {
      name: 'SHA-1 with ECDSA in an intermediate',
      given: { https: { issuers: [{ signature: 'ecdsa-with-SHA1' }] } },
      fails: 1,
    },
    {
      name: 'MD5',
      given: { https: { certificate: { signature: 'md5WithRSAEncryption' } } },
      fails: 1,
      severity: 'CRITICAL',
    },
    {
      name: 'SHA-1 in the root',
      given: { https: { issuers: [{}, { signature: 'sha1WithRSAEncryption', isSelfSigned: true }] } },
      fails: 0,
    },
    { name: 'SHA-512', given: { https: { certificate: { signature: 'sha512WithRSAEncryption' } } }, fails: 0 },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
