import { definePassiveCheck } from '../../check.ts';
import { httpsUrl, isSelfSigned } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-self-signed',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 295,
  title: 'The certificate is signed by nobody but itself',
  why: 'Anybody can make such a certificate for any name: browsers warn every visitor, and whoever gets used to the warning does not notice an impostor.',
  fix: 'Get a certificate from an authority that browsers know; ACME authorities such as Let’s Encrypt give them out for free.',
  references: ['https://letsencrypt.org/docs/'],
  needs: ['https'],

  *run({ https }) {
    if (!https || https.untrusted === null || !isSelfSigned(https)) return;
    yield { evidence: `${https.certificate.subject}: issued by itself (${https.untrusted})`, url: httpsUrl(https) };
  },

  examples: [
    {
      name: 'one certificate that issued itself',
      given: { https: { untrusted: 'DEPTH_ZERO_SELF_SIGNED_CERT', certificate: { isSelfSigned: true }, issuers: [] } },
      fails: 1,
    },
    {
      name: 'one that this machine was told to trust',
      given: { https: { certificate: { isSelfSigned: true }, issuers: [] } },
      fails: 0,
    },
    {
      name: 'a private root, which is another finding',
      given: { https: { untrusted: 'SELF_SIGNED_CERT_IN_CHAIN' } },
      fails: 0,
    },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
