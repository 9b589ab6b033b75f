import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-rsa-exponent',
  group: 'certificate',
  severity: 'LOW',
  cwe: 326,
  title: 'RSA certificate key with a small public exponent',
  why: 'The RSA key of the certificate has a public exponent of 3 or less. With exponent 3, implementations that check padding incorrectly accept forged signatures (Bleichenbacher 2006). With exponent 1, RSA gives no protection at all, so the severity is critical.',
  fix: 'Generate a new key with the public exponent 65537. Request a new certificate for it and replace the old one.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html#use-strong-keys-and-protect-them',
    'https://cabforum.org/working-groups/server/baseline-requirements/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['https'],

  *run({ https }) {
    const exponent = https?.certificate.rsaExponent;
    if (!https || exponent == null || exponent > 3) return;
    yield {
      evidence: `RSA public exponent ${exponent}`,
      url: httpsUrl(https),
      severity: exponent === 1 ? 'CRITICAL' : 'LOW',
    };
  },

  examples: [
    { name: 'exponent 3', given: { https: { certificate: { keyType: 'rsa', rsaExponent: 3 } } }, fails: 1 },
    {
      name: 'exponent 1',
      given: { https: { certificate: { keyType: 'rsa', rsaExponent: 1 } } },
      fails: 1,
      severity: 'CRITICAL',
    },
    { name: 'exponent 65537', given: { https: { certificate: { keyType: 'rsa', rsaExponent: 65_537 } } }, fails: 0 },
    { name: 'elliptic curve key', given: {}, fails: 0 },
  ],
});
