import { allowedIssuers } from '../../../evidence/dns/caa.ts';
import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** Organization names in certificates and the CAA domains of the same CA. The check skips CAs that are not listed. */
const authorities: readonly (readonly [name: RegExp, domains: readonly string[]])[] = [
  [/\bO=Let's Encrypt\b/, ['letsencrypt.org']],
  [/\bO=Google Trust Services\b/, ['pki.goog']],
  [/\bO=Amazon\b/, ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com']],
  [/\bO=Buypass\b/, ['buypass.com']],
];

const record = (value: string, tag = 'issue') => ({ flags: 0, tag, value });
const fromLetsEncrypt = { certificate: { issuer: "C=US\nO=Let's Encrypt\nCN=R10" } };

export default definePassiveCheck({
  id: 'dns-caa-issuer-mismatch',
  group: 'dns',
  severity: 'INFO',
  cwe: 295,
  title: 'CAA records do not authorize the current certificate issuer',
  why: 'The certificate in use was issued by a certificate authority that the CAA records of this domain do not list. CAA is checked at issuance, so the certificate stays valid, but renewal from the same authority will fail. If you did not order it, an attacker may have obtained the certificate before the record existed. The evidence compares the issuer with the authorized domains.',
  fix: 'Add an issue record for the CA you use, or order the next certificate from an authorized CA. If the certificate is not yours, look it up in the Certificate Transparency logs and have it revoked.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc8659#section-3',
    'https://www.rfc-editor.org/rfc/rfc6962',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  needs: ['caa', 'https'],

  *run({ caa, https }) {
    if (!caa || !https || https.host !== caa.host) return;
    const isWildcard = !https.certificate.dnsNames.includes(https.host);
    const allowed = allowedIssuers(caa, isWildcard);
    const domains = authorities.find(([name]) => name.test(https.certificate.issuer))?.[1];
    if (!allowed || !domains || domains.some((domain) => allowed.includes(domain))) return;
    const issuer = https.certificate.issuer.replaceAll('\n', ', ');
    yield {
      evidence: `Issued by ${issuer}; authorized by CAA: ${allowed.join(', ') || 'no CA'}`,
      url: httpsUrl(https),
    };
  },

  examples: [
    {
      name: 'issuer not authorized',
      given: { dns: { caa: { records: [record('pki.goog')] } }, https: fromLetsEncrypt },
      fails: 1,
    },
    {
      name: 'no issuer authorized',
      given: { dns: { caa: { records: [record(';')] } }, https: fromLetsEncrypt },
      fails: 1,
    },
    {
      name: 'issuer authorized',
      given: {
        dns: { caa: { records: [record('letsencrypt.org; validationmethods=dns-01')] } },
        https: fromLetsEncrypt,
      },
      fails: 0,
    },
    {
      name: 'wildcard certificate authorized by issuewild',
      given: {
        dns: { caa: { records: [record('pki.goog'), record('letsencrypt.org', 'issuewild')] } },
        https: { certificate: { ...fromLetsEncrypt.certificate, dnsNames: ['*.example'] } },
      },
      fails: 0,
    },
    { name: 'issuer not in the list of known CAs', given: { dns: { caa: { records: [record(';')] } } }, fails: 0 },
    {
      name: 'no CAA record',
      given: { dns: { caa: { foundAt: null, records: [] } }, https: fromLetsEncrypt },
      fails: 0,
    },
  ],
});
