import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-signature-weak',
  group: 'certificate',
  severity: 'HIGH',
  cwe: 328,
  title: 'A certificate in the chain is signed with a broken digest',
  why: 'Collisions of MD5 and SHA-1 can be computed: a second certificate with the same signature can exist. Browsers refuse both.',
  fix: 'Get a new certificate that is signed with SHA-256, and send the current certificates of the issuer.',
  references: ['https://shattered.io/', 'https://cabforum.org/working-groups/server/baseline-requirements/'],
  needs: ['https'],

  *run({ https }) {
    if (!https) return;
    // What a root says of itself proves nothing anyway.
    for (const { subject, signature } of https.chain.filter(({ isSelfSigned }) => !isSelfSigned)) {
      if (/md[25]/i.test(signature))
        yield { evidence: `${subject}: ${signature}`, url: httpsUrl(https), severity: 'CRITICAL' };
      else if (/sha-?1(?!\d)/i.test(signature)) yield { evidence: `${subject}: ${signature}`, url: httpsUrl(https) };
    }
  },

  examples: [
    { name: 'SHA-1 with RSA', given: { https: { certificate: { signature: 'sha1WithRSAEncryption' } } }, fails: 1 },
    {
      name: 'SHA-1 with ECDSA in between',
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
      name: "SHA-1 as the root's own",
      given: { https: { issuers: [{}, { signature: 'sha1WithRSAEncryption', isSelfSigned: true }] } },
      fails: 0,
    },
    { name: 'SHA-512', given: { https: { certificate: { signature: 'sha512WithRSAEncryption' } } }, fails: 0 },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
