import { definePassiveCheck } from '../../check.ts';
import { httpsUrl, isSelfSigned } from '../../evidence/tls/https.ts';
import { daysAfter } from '../../evidence/tls/sample.ts';

export default definePassiveCheck({
  id: 'cert-untrusted-chain',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 295,
  title: 'The certificate comes from an authority that browsers do not trust',
  why: 'Browsers stop every visitor with a warning: nobody they trust vouches for this site.',
  fix: 'Use a certificate of a public authority. For an internal site with an authority of your own, scan from where that authority is trusted.',
  references: ['https://wiki.mozilla.org/CA/Included_Certificates'],
  needs: ['https'],

  *run({ https }) {
    if (!https || https.untrusted === null || https.isIncomplete || isSelfSigned(https)) return;
    // These are said of the certificate itself; here they would say it a second time.
    const at = Date.parse(https.gatheredAt);
    const isOutOfTime = at > Date.parse(https.certificate.validTo) || at < Date.parse(https.certificate.validFrom);
    if (isOutOfTime && /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/.test(https.untrusted)) return;
    const last = https.chain.at(-1);
    yield {
      evidence: `${https.untrusted}; the last certificate is ${last?.subject}, issued by ${last?.issuer}`,
      url: httpsUrl(https),
    };
  },

  examples: [
    { name: 'a root of its own', given: { https: { untrusted: 'SELF_SIGNED_CERT_IN_CHAIN' } }, fails: 1 },
    {
      name: 'an issuer that nobody knows',
      given: { https: { untrusted: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', issuers: [] } },
      fails: 1,
    },
    { name: 'an expired certificate of the issuer', given: { https: { untrusted: 'CERT_HAS_EXPIRED' } }, fails: 1 },
    {
      name: 'an expired certificate, which is another finding',
      given: { https: { untrusted: 'CERT_HAS_EXPIRED', certificate: { validTo: daysAfter(-1) } } },
      fails: 0,
    },
    {
      name: 'a certificate that is missing in between, which is another finding',
      given: { https: { untrusted: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', isIncomplete: true, issuers: [] } },
      fails: 0,
    },
    {
      name: 'a certificate that issued itself, which is another finding',
      given: { https: { untrusted: 'DEPTH_ZERO_SELF_SIGNED_CERT', certificate: { isSelfSigned: true }, issuers: [] } },
      fails: 0,
    },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
