import { definePassiveCheck } from '../../check.ts';
import { allowedIssuers } from '../../evidence/dns/caa.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

/** What authorities call themselves in certificates, and in CAA records. Of others nothing is said. */
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
  title: 'The certificate is from an authority that may not issue one now',
  why: 'The rule counts when a certificate is issued, so this one stays good: but the next one will be refused, or this one was not ordered by you.',
  fix: 'Add the authority to the CAA records, or order the next certificate from one of those that are there.',
  references: ['https://www.rfc-editor.org/rfc/rfc8659#section-3'],
  needs: ['caa', 'https'],

  *run({ caa, https }) {
    if (!caa || !https || https.host !== caa.host) return;
    const isWildcard = !https.certificate.dnsNames.includes(https.host);
    const allowed = allowedIssuers(caa, isWildcard);
    const domains = authorities.find(([name]) => name.test(https.certificate.issuer))?.[1];
    if (!allowed || !domains || domains.some((domain) => allowed.includes(domain))) return;
    const issuer = https.certificate.issuer.replaceAll('\n', ', ');
    yield { evidence: `Issued by ${issuer}; allowed: ${allowed.join(', ') || 'nobody'}`, url: httpsUrl(https) };
  },

  examples: [
    {
      name: 'another authority',
      given: { dns: { caa: { records: [record('pki.goog')] } }, https: fromLetsEncrypt },
      fails: 1,
    },
    { name: 'nobody may', given: { dns: { caa: { records: [record(';')] } }, https: fromLetsEncrypt }, fails: 1 },
    {
      name: 'the same authority',
      given: {
        dns: { caa: { records: [record('letsencrypt.org; validationmethods=dns-01')] } },
        https: fromLetsEncrypt,
      },
      fails: 0,
    },
    {
      name: 'a wildcard with a rule of its own',
      given: {
        dns: { caa: { records: [record('pki.goog'), record('letsencrypt.org', 'issuewild')] } },
        https: { certificate: { ...fromLetsEncrypt.certificate, dnsNames: ['*.example'] } },
      },
      fails: 0,
    },
    { name: 'an authority that is not known here', given: { dns: { caa: { records: [record(';')] } } }, fails: 0 },
    {
      name: 'no rule at all',
      given: { dns: { caa: { foundAt: null, records: [] } }, https: fromLetsEncrypt },
      fails: 0,
    },
  ],
});
