import { getDomain } from 'tldts';
import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-san-excess',
  group: 'certificate',
  severity: 'INFO',
  cwe: 295,
  title: 'Many sites share this certificate',
  why: 'Whoever holds its key can pose as every one of them. Certificates of content networks are often like this.',
  fix: 'Use a certificate of your own where the provider offers it.',
  references: ['https://cabforum.org/working-groups/server/baseline-requirements/'],
  needs: ['https'],

  *run({ https }) {
    if (!https) return;
    const { dnsNames } = https.certificate;
    const domains = new Set(dnsNames.map((name) => getDomain(name.replace(/^\*\./, '')) ?? name));
    if (dnsNames.length <= 100 && domains.size <= 10) return;
    yield { evidence: `${dnsNames.length} names below ${domains.size} domains`, url: httpsUrl(https) };
  },

  examples: [
    {
      name: '101 names',
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
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
