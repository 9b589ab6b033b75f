import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

/** A root that is sent is not what visitors go by. */
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
  title: 'A key in the chain is too short',
  why: 'Whoever computes the private key from the public one can pose as this site and read its traffic.',
  fix: 'Make a new key of RSA 2048 bits or more, or on P-256, and get a new certificate for it.',
  references: ['https://www.keylength.com/', 'https://cabforum.org/working-groups/server/baseline-requirements/'],
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
    { name: 'a curve of 192 bits', given: { https: { certificate: { keyType: 'ec', keyBits: 192 } } }, fails: 1 },
    { name: 'DSA', given: { https: { certificate: { keyType: 'dsa', keyBits: 2_048 } } }, fails: 1 },
    { name: 'a weak issuer', given: { https: { issuers: [{ keyType: 'rsa', keyBits: 1_024 }] } }, fails: 1 },
    { name: 'RSA with 2048 bits', given: { https: { certificate: { keyType: 'rsa', keyBits: 2_048 } } }, fails: 0 },
    { name: 'Ed25519', given: { https: { certificate: { keyType: 'ed25519', keyBits: 255 } } }, fails: 0 },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
