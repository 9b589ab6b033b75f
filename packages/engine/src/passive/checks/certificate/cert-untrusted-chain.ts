import { httpsUrl, isSelfSigned } from '../../../evidence/tls/https.ts';
import { daysAfter } from '../../../evidence/tls/sample.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-untrusted-chain',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 295,
  title: 'TLS certificate from an untrusted CA',
  why: 'The certificate chain does not end in a CA that browsers trust. Browsers block the site with a warning, and API clients refuse to connect. Users who click through the warning cannot detect a man-in-the-middle attack.',
  fix: 'Use a certificate from a public CA. For an internal site with a private CA, run the scan on a machine that trusts this CA.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html#use-an-appropriate-certification-authority-for-the-applications-user-base',
    'https://wiki.mozilla.org/CA/Included_Certificates',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https || https.untrusted === null || https.isIncomplete || isSelfSigned(https)) return;
    // Expiry of the leaf certificate has its own check.
    const at = Date.parse(https.gatheredAt);
    const isOutOfTime = at > Date.parse(https.certificate.validTo) || at < Date.parse(https.certificate.validFrom);
    if (isOutOfTime && /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/.test(https.untrusted)) return;
    const last = https.chain.at(-1);
    yield {
      evidence: `${https.untrusted}; last certificate of the chain: ${last?.subject}, issued by ${last?.issuer}`,
      url: httpsUrl(https),
    };
  },

  examples: [
    { name: 'private root', given: { https: { untrusted: 'SELF_SIGNED_CERT_IN_CHAIN' } }, fails: 1 },
    {
      name: 'unknown issuer',
      given: { https: { untrusted: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', issuers: [] } },
      fails: 1,
    },
    { name: 'expired intermediate', given: { https: { untrusted: 'CERT_HAS_EXPIRED' } }, fails: 1 },
    {
      name: 'expired leaf, judged by another check',
      given: { https: { untrusted: 'CERT_HAS_EXPIRED', certificate: { validTo: daysAfter(-1) } } },
      fails: 0,
    },
    {
      name: 'missing intermediate, judged by another check',
      given: { https: { untrusted: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', isIncomplete: true, issuers: [] } },
      fails: 0,
    },
    {
      name: 'self-signed, judged by another check',
      given: { https: { untrusted: 'DEPTH_ZERO_SELF_SIGNED_CERT', certificate: { isSelfSigned: true }, issuers: [] } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
