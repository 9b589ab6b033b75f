import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** Clients use the root of their own trust store, not the one that the server sends. */
const isJudged = ({ isSelfSigned }: { isSelfSigned: boolean }, index: number) => index === 0 || !isSelfSigned;

function weaknessOf(type: string, bits: number | null): 'CRITICAL' | 'HIGH' | undefined {
  if (type === 'dsa') return 'HIGH';
  if (/^rsa/.test(type) && bits !== null && bits < 2_048) return bits < 1_024 ? 'CRITICAL' : 'HIGH';
  return type === 'ec' && bits !== null && bits < 224 ? 'HIGH' : undefined;
}

export default definePassiveCheck({
  id: 'cert-key-weak',
  group: 'certificate',
  severity: 'HIGH',
  cwe: 326,
  title: 'Weak public key in the TLS certificate chain',
  why: 'A certificate of the chain has a key below the current minimum: RSA under 2048 bits, an elliptic curve under 224 bits, or DSA. An attacker who computes the private key can impersonate the site and intercept its traffic. The evidence gives the type and the size of the key.',
  fix: 'Generate a new key, ECDSA P-256 or RSA with at least 2048 bits. Request a new certificate for it and replace the old one.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html#use-strong-keys-and-protect-them',
    'https://www.keylength.com/',
    'https://cabforum.org/working-groups/server/baseline-requirements/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https) return;
    for (const { subject, keyType, keyBits, isSelfSigned } of https.chain.filter(isJudged)) {
      const severity = weaknessOf(keyType, keyBits);
      if (severity)
        yield {
          evidence: `${subject}: ${keyType}, ${keyBits ?? 'unknown'} bits${isSelfSigned ? ', self-signed' : ''}`,
          url: httpsUrl(https),
          severity,
        };
    }
  },

  examples: [
    { name: 'RSA with 1024 bits', given: { https: { certificate: { keyType: 'rsa', keyBits: 1_024 } } }, fails: 1 },
    {
      name: 'RSA with 512 bits',
      given: { https: { certificate: { keyType: 'rsa', keyBits: 512 } } },
      fails: 1,
      severity: 'CRITICAL',
    },
    { name: '192-bit curve', given: { https: { certificate: { keyType: 'ec', keyBits: 192 } } }, fails: 1 },
    { name: 'DSA', given: { https: { certificate: { keyType: 'dsa', keyBits: 2_048 } } }, fails: 1 },
    {
      name: 'weak key of an intermediate',
      given: { https: { issuers: [{ keyType: 'rsa', keyBits: 1_024 }] } },
      fails: 1,
    },
    { name: 'RSA with 2048 bits', given: { https: { certificate: { keyType: 'rsa', keyBits: 2_048 } } }, fails: 0 },
    { name: 'Ed25519', given: { https: { certificate: { keyType: 'ed25519', keyBits: 255 } } }, fails: 0 },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
