import { getDomain } from 'tldts';
import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-san-excess',
  group: 'certificate',
  severity: 'INFO',
  cwe: 295,
  title: 'TLS certificate shared by many host names (SAN)',
  why: 'The certificate lists more than 100 host names or more than 10 domains. An attacker who obtains its private key can impersonate all of them. CDN providers often issue such shared certificates.',
  fix: 'Use a dedicated certificate where the provider offers one. Split the names of your own servers into one certificate per service.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html#use-correct-domain-names',
    'https://cabforum.org/working-groups/server/baseline-requirements/',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https) return;
    const { dnsNames } = https.certificate;
    const domains = new Set(dnsNames.map((name) => getDomain(name.replace(/^\*\./, '')) ?? name));
    if (dnsNames.length <= 100 && domains.size <= 10) return;
    yield { evidence: `${dnsNames.length} host names in ${domains.size} domains`, url: httpsUrl(https) };
  },

  examples: [
    {
      name: '101 host names',
      given: {
        https: { certificate: { dnsNames: Array.from({ length: 101 }, (_, index) => `a${index}.site.example`) } },
      },
      fails: 1,
    },
    {
      name: '11 domains',
      given: { https: { certificate: { dnsNames: Array.from({ length: 11 }, (_, index) => `site${index}.example`) } } },
      fails: 1,
    },
    {
      name: '10 domains',
      given: {
        https: { certificate: { dnsNames: Array.from({ length: 10 }, (_, index) => `*.site${index}.example`) } },
      },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
