import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-rsa-exponent',
  group: 'certificate',
  severity: 'LOW',
  cwe: 326,
  title: 'The RSA key has a very small exponent',
  why: 'With an exponent of 3 small mistakes in padding make signatures forgeable; with 1 nothing is protected at all.',
  fix: 'Make a new key with the usual exponent 65537, and get a new certificate for it.',
  references: ['https://cabforum.org/working-groups/server/baseline-requirements/'],
  needs: ['https'],

  *run({ https }) {
    const exponent = https?.certificate.rsaExponent;
    if (!https || exponent == null || exponent > 3) return;
    yield { evidence: `Exponent ${exponent}`, url: httpsUrl(https), severity: exponent === 1 ? 'CRITICAL' : 'LOW' };
  },

  examples: [
    { name: 'exponent 3', given: { https: { certificate: { keyType: 'rsa', rsaExponent: 3 } } }, fails: 1 },
    {
      name: 'exponent 1',
      given: { https: { certificate: { keyType: 'rsa', rsaExponent: 1 } } },
      fails: 1,
      severity: 'CRITICAL',
    },
    { name: 'the usual one', given: { https: { certificate: { keyType: 'rsa', rsaExponent: 65_537 } } }, fails: 0 },
    { name: 'a key on a curve', given: {}, fails: 0 },
  ],
});
